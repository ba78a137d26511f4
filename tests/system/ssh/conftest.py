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
    """``host(*arguments)`` starts a server whose ForceCommand is ``sokoterm`` with these arguments.

    With ``as_login_shell`` it is the login shell instead.
    """
    numbers = count()
    with ExitStack() as stack:

        def start(*arguments: str, as_login_shell: bool = False) -> Server:
            folder = tmp_path / f"server{next(numbers)}"
            folder.mkdir()
            try:
                return stack.enter_context(Server(folder, *arguments, as_login_shell=as_login_shell))
            except NoServerError as error:
                pytest.skip(str(error))

        yield start
