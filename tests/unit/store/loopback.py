"""Web server on loopback with scripted answers."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BufferedIOBase
from typing import TypeVar
from urllib.parse import parse_qs

import pytest

Answer = bytes | Callable[[BufferedIOBase], object]
_Web = TypeVar("_Web", bound="Loopback")


class Loopback:
    """Server that answers each path with fixed bytes, or by a function that writes to the connection."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.heads: list[tuple[str, dict[str, str]]] = []
        self.over = threading.Event()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}{path}"

    def find(self, path: str, form: dict[str, str]) -> Answer:  # noqa: ARG002 - there are no forms
        """The answer to a request, with the ``form`` that was posted."""
        return self.answers.get(path, b"HTTP/1.1 404 Not Found\r\n\r\n")

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        web = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                web.heads.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
                text = self.rfile.read(int(self.headers["Content-Length"] or 0)).decode()
                answer = web.find(self.path, {name: values[0] for name, values in parse_qs(text).items()})
                try:
                    if isinstance(answer, bytes):
                        self.wfile.write(answer)
                    else:
                        answer(self.wfile)
                except OSError:
                    pass  # the client hung up
                self.close_connection = True

            do_POST = do_GET  # noqa: N815 - the name it has above

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name it has above
                pass

        return Handler


@contextmanager
def serving(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    """Run a server during a block, with no proxy of the environment in the way."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    with running(Loopback()) as web:
        yield web


@contextmanager
def running(web: _Web) -> Iterator[_Web]:
    """Run a server in a thread during a block; ``over`` is set at its end, for answers that wait."""
    thread = threading.Thread(target=web.server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield web
    finally:
        web.over.set()
        web.server.shutdown()
        thread.join()
        web.server.server_close()


def page(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    """Return a response with the length of its body, unless ``headers`` give another."""
    lines = [f"HTTP/1.1 {status}", *headers]
    if not any(header.lower().startswith(("content-length", "transfer-encoding")) for header in headers):
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def redirect(target: str) -> bytes:
    return page(b"", f"Location: {target}", status="302 Found")
