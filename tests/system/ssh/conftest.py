"""A server for each test that asks for one; without OpenSSH the tests are skipped."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest

from tests.system.ssh.server import NoServerError, Server

Host = Callable[..., Server]


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """``host(*arguments)`` starts a server whose ForceCommand is ``sokoterm`` with these arguments."""
    numbers = count()
    with ExitStack() as stack:

        def start(*arguments: str) -> Server:
            folder = tmp_path / f"server{next(numbers)}"
            folder.mkdir()
            try:
                return stack.enter_context(Server(folder, *arguments))
            except NoServerError as error:
                pytest.skip(str(error))

        yield start
