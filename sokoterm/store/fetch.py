"""Download of packs over http and https, and forms sent over https, with limits on time, size and redirects.

Proxies are taken from the environment, as in urllib.
"""

import http.client
import socket
import urllib.request
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from ipaddress import ip_address
from time import monotonic
from typing import NamedTuple
from urllib.error import URLError
from urllib.parse import quote, unquote, urlencode, urljoin, urlsplit, urlunsplit

from sokoterm import __version__
from sokoterm.engine.text import printable
from sokoterm.formats.limits import ReadLimits
from sokoterm.language import _

_CHUNK = 1 << 16
# Characters of an address that are not quoted; % because the address may be quoted already.
_PLAIN = "%/:?#[]@!$&'()*+,;=~|"
_MAX_REDIRECTS = 5
_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_SCHEMES = ("http", "https")


class FetchError(OSError):
    """An address that cannot be fetched; the error's text is the reason."""


class Patience(NamedTuple):
    """Timeouts in seconds: for a connection or the next bytes, and for the whole download."""

    step: float = 10.0
    whole: float = 30.0


PATIENCE = Patience()


class _Clock:
    def __init__(self, patience: Patience) -> None:
        self.patience = patience
        self._end = monotonic() + patience.whole

    def left(self) -> float:
        """Return the seconds that the next step may take; raises FetchError when no time is left."""
        left = self._end - monotonic()
        if left <= 0:
            raise FetchError(_("the download took more than {seconds:g} seconds", seconds=self.patience.whole))
        return min(left, self.patience.step)


def fetch(address: str, limits: ReadLimits, patience: Patience = PATIENCE) -> Iterator[bytes]:
    """Yield the content at the address in chunks, as sent; raises FetchError, also if it exceeds the size limit.

    A name and password in the address are sent only to its own server.
    """
    clock = _Clock(patience)
    with _failing(clock), _open(address, clock) as response:
        if (response.length or 0) > limits.bytes:
            problem = _(
                "found {found:,} MB, expected at most {most:,} MB (--max-file raises the limit)",
                found=(response.length or 0) >> 20,
                most=limits.megabytes,
            )
            raise FetchError(problem)
        yield from _received(response, clock)


class FormAnswer(NamedTuple):
    """The answer to a form: HTTP status, reason phrase and content."""

    status: int
    reason: str
    data: bytes


def post(
    address: str,
    fields: Mapping[str, str],
    most: int,
    patience: Patience = PATIENCE,
    show: Callable[[int, int], object] = lambda *_: None,
) -> FormAnswer:
    """Send a form and return the answer, whatever its status, of at most ``most`` bytes; raises FetchError.

    As the form may hold a secret, it is sent only over https or within this machine, and redirects are not followed.
    The server may echo the secret in an answer or an error: the caller removes it before showing them. ``show`` is
    called with the bytes received so far and the total, 0 if unknown; it may raise an exception.
    """
    clock = _Clock(patience)
    with _failing(clock):
        request = _request(address)
        is_near = _is_this_machine(urlsplit(address).hostname or "")
        if request.type != "https" and not is_near:
            raise FetchError(_("found {found}, expected an https address", found=printable(request.type)[:20]))
        request.data = urlencode(fields).encode("ascii")
        request.add_header("Content-Type", "application/x-www-form-urlencoded")
        with _opener(may_use_proxy=not is_near).open(request, timeout=clock.left()) as response:
            if response.status in _REDIRECTS:
                # Only the server's name: the rest may contain the form.
                target = urlsplit(response.headers["Location"] or "")
                if not target.hostname:
                    raise FetchError(_("redirected to nowhere, expected an answer"))
                raise FetchError(_("redirected to {place}, expected an answer", place=target.hostname))
            data, length = b"", response.length or 0
            for chunk in _received(response, clock):
                data += chunk
                show(len(data), length)
                if len(data) > most:
                    raise FetchError(_("the answer is larger than {most:,} bytes", most=most))
            return FormAnswer(response.status, response.reason, data)


@contextmanager
def _failing(clock: _Clock) -> Iterator[None]:
    try:
        yield
    except FetchError:
        raise
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise FetchError(_failure(error, clock)) from None


def without_password(address: str) -> str:
    """Return the address without name, password and fragment, fit to be shown and stored."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return address.partition("#")[0]
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment=""))


def name_at(address: str) -> str:
    """Return the file name in an address, or its server."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return address
    return unquote(parts.path).rstrip("/").rpartition("/")[2] or parts.netloc


def _is_this_machine(host: str) -> bool:
    """True for a name or address of the loopback interface.

    >>> [_is_this_machine(host) for host in ("localhost", "127.0.0.1", "::1", "127.example.org")]
    [True, True, True, False]
    """
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _open(address: str, clock: _Clock) -> http.client.HTTPResponse:
    """Return the response after all redirects, with status 200."""
    opener = _opener()
    shown = without_password(address)
    for __ in range(_MAX_REDIRECTS + 1):
        response: http.client.HTTPResponse = opener.open(_request(address), timeout=clock.left())
        if response.status not in _REDIRECTS or not (target := response.headers["Location"]):
            if response.status == 200:
                return response
            response.close()
            answer = f"{response.status} {printable(response.reason)[:80]}".rstrip()
            raise FetchError(_("the server answered {answer}", answer=answer))
        response.close()
        target = urljoin(address, target)
        shown = without_password(target)
        allowed = _SCHEMES[_SCHEMES.index(urlsplit(address).scheme.lower()) :]  # never from https to http
        if urlsplit(target).scheme.lower() not in allowed:
            expected = _("{first} or {second}", first=allowed[0], second=allowed[1]) if allowed[1:] else allowed[0]
            raise FetchError(_("redirected to {place}, expected {expected}", place=shown, expected=expected))
        address = target
    raise FetchError(_("redirected more than {most} times, last to {place}", most=_MAX_REDIRECTS, place=shown))


def _request(address: str) -> urllib.request.Request:
    parts = urlsplit(address)
    if not parts.hostname:
        raise FetchError(_("the address names no server"))
    if parts.port == 0:  # other invalid ports raise ValueError themselves
        raise ValueError
    user, __, server = parts.netloc.rpartition("@")
    path, query = quote(parts.path or "/", safe=_PLAIN), quote(parts.query, safe=_PLAIN)
    headers = {"User-Agent": f"sokoterm/{__version__}", "Accept-Encoding": "identity"}
    if user:
        name, __, password = user.partition(":")
        secret = f"{unquote(name)}:{unquote(password)}".encode()
        headers["Authorization"] = f"Basic {b64encode(secret).decode()}"
    return urllib.request.Request(urlunsplit((parts.scheme, server, path, query, "")), headers=headers)


def _received(response: http.client.HTTPResponse, clock: _Clock) -> Iterator[bytes]:
    """Yield the content as it arrives; raises FetchError when the time is up."""
    length = response.length
    while chunk := response.read1(_CHUNK):
        clock.left()
        yield chunk
    clock.left()
    if length and response.length:  # the number of bytes that are missing
        came = length - response.length
        raise FetchError(_("the connection broke after {came:,} of {length:,} bytes", came=came, length=length))


def _failure(error: Exception, clock: _Clock) -> str:
    """Return a short reason for a failed download; raises FetchError if the whole time is up."""
    if isinstance(error, URLError) and isinstance(error.reason, Exception):
        error = error.reason
    match error:
        case TimeoutError():
            clock.left()
            return _("nothing arrived for {seconds:g} seconds", seconds=clock.patience.step)
        case socket.gaierror():
            return _("the server's name cannot be resolved: is this machine online?")
        case http.client.RemoteDisconnected():
            return _("the server closed the connection without an answer")
        case http.client.IncompleteRead():
            return _("the connection broke before the end")
        case http.client.InvalidURL():
            return _("it is not a valid address")
        case http.client.HTTPException():
            return _("the server does not speak HTTP")
        case OSError():
            if verdict := getattr(error, "verify_message", ""):  # set by ssl.SSLCertVerificationError
                return _("the server's certificate is invalid: {reason}", reason=printable(verdict))
            reason = getattr(error, "reason", "")
            if type(error).__module__ == "ssl" or reason:
                why = printable(str(reason or error)).replace("_", " ").lower()
                return _("no secure connection: {reason}", reason=why)
            return printable(error.strerror or str(error))
    return _("it is not a valid address")


def _opener(*, may_use_proxy: bool = True) -> urllib.request.OpenerDirector:
    """Return an opener for http and https only, which does not follow redirects."""
    opener = urllib.request.OpenerDirector()
    opener.add_handler(urllib.request.ProxyHandler(None if may_use_proxy else {}))
    opener.add_handler(urllib.request.HTTPHandler())
    if hasattr(urllib.request, "HTTPSHandler"):  # else this Python was built without TLS
        opener.add_handler(urllib.request.HTTPSHandler())
    opener.add_handler(urllib.request.UnknownHandler())
    return opener
