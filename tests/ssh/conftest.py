"""A server for each test that asks for one; without OpenSSH the tests are skipped."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.ssh.server import NoServerError, Server

Host = Callable[..., Server]


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """``host(*arguments)`` starts a server whose ForceCommand is ``sokoterm`` with these arguments.

    With ``as_login_shell`` it is the login shell instead.
    """
    with ExitStack() as stack:

        def start(*arguments: str, as_login_shell: bool = False) -> Server:
            try:
                return stack.enter_context(Server(tmp_path, *arguments, as_login_shell=as_login_shell))
            except NoServerError as error:
                pytest.skip(str(error))

        yield start
