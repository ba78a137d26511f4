"""Download of packs by address, from good servers and bad ones."""

import gzip
import io
import socket
import ssl
import zipfile
from collections.abc import Iterator
from io import BufferedIOBase

import pytest

from sokoterm.formats.limits import DEFAULT_LIMITS, ReadLimits
from sokoterm.store.fetch import FetchError, Patience, fetch, name_at, without_password
from sokoterm.store.packs import PackError, find_packs, open_pack, read_bytes
from tests.unit.store.loopback import Loopback, page, redirect, serving

BOARD = b"#####\n#@$.#\n#####\n"
PATIENT = Patience(step=30, whole=60)
NO_DRIP = Patience(step=30, whole=0.4)
NO_SILENCE = Patience(step=0.15, whole=60)
SMALL = ReadLimits(megabytes=1)


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    with serving(monkeypatch) as web:
        yield web


def got(address: str, limits: ReadLimits = DEFAULT_LIMITS, patience: Patience = PATIENT) -> bytes:
    return b"".join(fetch(address, limits, patience))


def problem(address: str, limits: ReadLimits = DEFAULT_LIMITS, patience: Patience = PATIENT) -> str:
    with pytest.raises(FetchError) as caught:
        got(address, limits, patience)
    assert str(caught.value).isprintable()
    return str(caught.value)


def test_pack_at_an_address(web: Loopback) -> None:
    web.answers["/packs/Doors%202.xsb?raw=1"] = page(BOARD)
    (file,) = find_packs(web.url("/packs/Doors%202.xsb?raw=1#top"))
    assert (file.path, file.name) == (web.url("/packs/Doors%202.xsb?raw=1"), "Doors 2")
    assert file.key == file.path
    assert open_pack(file).size == 1
    (head,) = web.heads
    assert head[1]["accept-encoding"] == "identity"
    assert head[1]["user-agent"].startswith("sokoterm/")


def test_what_is_packed_shows_in_how_it_begins(web: Loopback) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("b/2.txt", BOARD)
        file.writestr("b/10.txt", BOARD)
    web.answers["/levels"] = page(archive.getvalue(), "Content-Type: text/plain")
    web.answers["/one"] = page(gzip.compress(BOARD), "Content-Encoding: gzip")
    web.answers["/two"] = page(gzip.compress(archive.getvalue()))
    found = find_packs(web.url("/levels"))
    assert [each.path for each in found] == [web.url("/levels/b/2.txt"), web.url("/levels/b/10.txt")]
    assert [each.key for each in found] == [each.path for each in found]
    assert [open_pack(each).size for each in found] == [1, 1]
    assert read_bytes(find_packs(web.url("/one"))[0]) == BOARD
    with pytest.raises(PackError, match="found a zip archive in an archive"):
        open_pack(find_packs(web.url("/two"))[0])


def test_redirects_are_followed_five_times(web: Loopback) -> None:
    for step in range(7):
        web.answers[f"/{step}"] = redirect(f"/{step + 1}" if step % 2 else web.url(f"/{step + 1}"))
    web.answers["/5"] = page(BOARD)
    assert got(web.url("/0")) == BOARD
    web.answers["/5"] = redirect("6")
    web.answers["/6"] = page(BOARD)
    assert problem(web.url("/0")) == f"redirected more than 5 times, last to {web.url('/6')}"
    web.answers["/a"] = redirect("/a")
    assert "more than 5 times" in problem(web.url("/a"))


@pytest.mark.parametrize(
    "target", ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:text/plain,%23", "gopher://x/", "FILE:///etc/passwd"]
)
def test_no_redirect_leads_anywhere_else(web: Loopback, target: str) -> None:
    web.answers["/a"] = redirect(target)
    said = problem(web.url("/a"))
    assert said.startswith("redirected to ")
    assert said.endswith(", expected http or https")


@pytest.mark.parametrize("target", ["/b", "//127.0.0.1:{port}/b", "HTTPS://127.0.0.1:{port}/b"])
def test_a_secure_address_is_redirected_to_a_secure_one(
    web: Loopback, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    monkeypatch.setattr(ssl.SSLContext, "wrap_socket", lambda _, sock, **__: sock)
    web.answers["/a"] = redirect(target.format(port=web.server.server_address[1]))
    web.answers["/b"] = page(b"words")
    assert got(web.url("/a").replace("http:", "https:")) == b"words"


def test_a_secure_address_is_not_redirected_to_an_open_line(web: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ssl.SSLContext, "wrap_socket", lambda _, sock, **__: sock)
    web.answers["/a"] = redirect(web.url("/b"))
    web.answers["/b"] = page(b"words")
    web.answers["/c"] = redirect(web.url("/a").replace("http:", "https:"))
    for address in (web.url("/a").replace("http:", "https:"), web.url("/c")):
        assert problem(address) == f"redirected to {web.url('/b')}, expected https"
    assert [path for path, _ in web.heads] == ["/a", "/c", "/a"]


def test_redirect_with_an_endless_body_is_followed_without_reading_it(web: Loopback) -> None:
    def answer(line: BufferedIOBase) -> None:
        line.write(b"HTTP/1.1 302 Found\r\nLocation: /b\r\n\r\n")
        while not web.over.is_set():
            line.write(b"x" * 65536)

    web.answers["/a"] = answer
    web.answers["/b"] = page(BOARD)
    assert got(web.url("/a")) == BOARD


def test_password_goes_to_its_server_and_is_never_shown(web: Loopback) -> None:
    other = web.url("/b").replace("127.0.0.1", "localhost")
    web.answers["/a"] = redirect(other)
    web.answers["/b"] = page(BOARD)
    address = web.url("/a").replace("//", "//me:se%20cret@")
    (file,) = find_packs(address)
    assert file.path == web.url("/a")
    assert file.key == web.url("/a")
    assert [head.get("authorization") for _, head in web.heads] == ["Basic bWU6c2UgY3JldA==", None]
    with pytest.raises(PackError) as caught:
        find_packs(address.replace("/a", "/none"))
    assert "se" not in str(caught.value).split(": ")[0]
    web.answers["/c"] = redirect("file://me:secret@host/x")
    assert "secret" not in problem(web.url("/c"))


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("404 Not Found", "the server answered 404 Not Found"),
        ("500 \x1b[31mOops", "the server answered 500 ?[31mOops"),
        ("204 No Content", "the server answered 204 No Content"),
        ("304 Not Modified", "the server answered 304 Not Modified"),
        ("302 Found", "the server answered 302 Found"),  # without a target
    ],
)
def test_status(web: Loopback, status: str, said: str) -> None:
    web.answers["/a"] = page(b"", status=status)
    assert problem(web.url("/a")) == said


def test_too_large_by_what_is_announced(web: Loopback) -> None:
    web.answers["/a"] = page(b"x", "Content-Length: 9999999999999")
    assert problem(web.url("/a"), SMALL).startswith("found 9,536,743 MB, expected at most 1 MB")


@pytest.mark.parametrize("header", ["Content-Length: -1", "X: y", "Content-Length: lots", "Transfer-Encoding: chunked"])
def test_too_large_whatever_is_announced(web: Loopback, header: str) -> None:
    def answer(line: BufferedIOBase) -> None:
        line.write(f"HTTP/1.1 200 OK\r\n{header}\r\n\r\n".encode())
        while not web.over.is_set():
            line.write((b"8000\r\n" if "chunked" in header else b"") + b"x" * 0x8000 + b"\r\n")

    web.answers["/a"] = answer
    with pytest.raises(PackError, match=r"/a: found more than 1 MB"):
        find_packs(web.url("/a"), SMALL)


def test_length_that_lies(web: Loopback) -> None:
    web.answers["/more"] = page(BOARD, "Content-Length: 1000")
    web.answers["/less"] = page(BOARD, "Content-Length: 6")
    web.answers["/chunk"] = page(b"64\r\n#####\r\n", "Transfer-Encoding: chunked")
    assert problem(web.url("/more")) == "the connection broke after 18 of 1,000 bytes"
    assert got(web.url("/less")) == BOARD[:6]
    assert "broke before the end" in problem(web.url("/chunk"))


@pytest.mark.parametrize("length", ["X: y", "Content-Length: 1000000"])
def test_drip_ends_at_the_deadline(web: Loopback, length: str) -> None:
    def answer(line: BufferedIOBase) -> None:
        line.write(f"HTTP/1.1 200 OK\r\n{length}\r\n\r\n".encode())
        while not web.over.wait(0.01):
            line.write(b"x")
            line.flush()

    web.answers["/a"] = answer
    assert problem(web.url("/a"), patience=NO_DRIP) == "the download took more than 0.4 seconds"


@pytest.mark.parametrize("start", [b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 18\r\n\r\n####"])
def test_silence_ends_before_the_deadline(web: Loopback, start: bytes) -> None:
    def answer(line: BufferedIOBase) -> None:
        line.write(start)
        line.flush()
        web.over.wait()

    web.answers["/a"] = answer
    assert problem(web.url("/a"), patience=NO_SILENCE) == "nothing arrived for 0.15 seconds"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"", "the server closed the connection without an answer"),
        (b"\x00\x1b[2J garbage\r\n\r\n", "the server does not speak HTTP"),
        (b"HTTP/1.1 abc\r\n\r\n", "the server does not speak HTTP"),
        (b"HTTP/1.1 200 " + b"x" * 100_000, "the server does not speak HTTP"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 1000, "the server does not speak HTTP"),
    ],
)
def test_garbage(web: Loopback, answer: bytes, said: str) -> None:
    web.answers["/a"] = answer
    assert problem(web.url("/a")) == said


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://", "the address names no server"),
        ("https:///x", "the address names no server"),
        ("http://[::1/x", "it is not a valid address"),
        ("http://127.0.0.1:port/", "it is not a valid address"),
        ("http://example.org:99999/", "it is not a valid address"),
        ("http://me:you@[::1]:0/", "it is not a valid address"),
        ("http://a b/", "it is not a valid address"),
        ("http://" + "a" * 100 + ".invalid/", "it is not a valid address"),
        ("http://nowhere.invalid/", "the server's name cannot be resolved: is this machine online?"),
    ],
)
def test_addresses_that_lead_nowhere(monkeypatch: pytest.MonkeyPatch, address: str, said: str) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    if said == "the server's name cannot be resolved: is this machine online?":
        monkeypatch.setattr(socket, "getaddrinfo", unknown)
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)
    assert problem(address) == said


@pytest.mark.usefixtures("web")
def test_nobody_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        assert problem(f"http://127.0.0.1:{port}/") == "Connection refused"


def test_no_secure_connection(web: Loopback) -> None:
    """A server without TLS."""
    assert problem(web.url("/a").replace("http:", "https:")).startswith("no secure connection: ")


def test_certificate_that_does_not_hold(monkeypatch: pytest.MonkeyPatch, web: Loopback) -> None:
    def refuse(*_: object, **__: object) -> None:
        error = ssl.SSLCertVerificationError(1, "[SSL: CERTIFICATE_VERIFY_FAILED]")
        error.verify_message = "self-signed certificate"
        raise error

    monkeypatch.setattr(ssl.SSLContext, "wrap_socket", refuse)
    said = problem(web.url("/a").replace("http:", "https:"))
    assert said == "the server's certificate is invalid: self-signed certificate"


def test_names_of_addresses() -> None:
    assert without_password("http://u:p@h:1/a?b#c") == "http://h:1/a?b"
    assert without_password("http://[x/#c") == "http://[x/"
    assert name_at("http://h/a/b%20c.xsb") == "b c.xsb"
    assert name_at("http://h:8/") == "h:8"


def test_letters_of_every_script_in_an_address(web: Loopback) -> None:
    web.answers["/%E7%AE%B1%20a"] = page(BOARD)
    assert got(web.url("/箱 a")) == BOARD


def test_other_schemes_are_no_paths() -> None:
    for address in ("ftp://a/b", "file:///etc/passwd", "httpx://a"):
        with pytest.raises(PackError, match=f"^{address}: found an unknown kind of address, expected http or https$"):
            find_packs(address)
