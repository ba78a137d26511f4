"""The catalogs: nothing is missing, the placeholders of the source, the plural forms of the language."""

import re
import string
from collections import Counter
from collections.abc import Iterator

import pytest
from babel.messages.catalog import Catalog, Message

from sokoterm.language import pushes_text, speak
from sokoterm.store.languages import ENGLISH, find_catalog, languages
from tests.catalogs import catalog_of, is_translated, template

CODES = [code for code in languages() if code != ENGLISH]
_DEFAULT = re.compile(r"%\(\w+\)\w")
_PERCENT = re.compile(r"%\(\w+\)[sdr]|%[sdr%]")


@pytest.fixture(name="catalog", scope="module", params=CODES)
def _catalog(request: pytest.FixtureRequest) -> tuple[str, Catalog]:
    return request.param, catalog_of(request.param)


def texts_of(message: Message) -> list[str]:
    """The English texts of a message."""
    return [message.id] if isinstance(message.id, str) else [*message.id]


def translations_of(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else [*(message.string or ())]


def placeholders(message: Message, text: str) -> Counter[str]:
    """Return the places of a text for values: ``{name}``, ``%(name)s`` of argparse, ``#`` for numbers of our levels."""
    places = [place for place, __ in message.locations]
    if "argparse.py" in places:
        return Counter(_PERCENT.findall(text))
    if all(place.startswith("levels/") for place in places):
        return Counter({"#": text.count("#")})
    names = (part[1] for part in string.Formatter().parse(text) if part[1] is not None)
    return Counter((*names, *_DEFAULT.findall(text)))


def wrong_placeholders(message: Message) -> Iterator[str]:
    """Yield the translations that do not have what the source has; one form of a plural may say its number in words."""
    wanted = placeholders(message, texts_of(message)[-1])
    for text in translations_of(message):
        found = placeholders(message, text)
        if found != wanted and not (
            message.pluralizable and wanted - found == Counter({"n": 1}) and not found - wanted
        ):
            yield text


def test_nothing_is_missing(catalog: tuple[str, Catalog]) -> None:
    __, messages = catalog
    missing = [
        message.id
        for message in template()
        if message.id
        and ((known := messages.get(texts_of(message)[0], message.context)) is None or not is_translated(known.string))
    ]
    assert not missing


def test_placeholders_are_those_of_the_source(catalog: tuple[str, Catalog]) -> None:
    __, messages = catalog
    wrong = [
        f"{message.id!r}: {text!r}"
        for message in messages
        if message.id and is_translated(message.string)
        for text in wrong_placeholders(message)
    ]
    assert not wrong, "\n".join(wrong)


def test_blanks_at_the_ends_stay(catalog: tuple[str, Catalog]) -> None:
    """The program puts there what stands before or behind a text."""
    __, messages = catalog
    wrong = [
        message.id
        for message in messages
        if message.id and not message.context and is_translated(message.string)
        for text in translations_of(message)
        if (text[0].isspace(), text[-1].isspace())
        != (texts_of(message)[0][0].isspace(), texts_of(message)[0][-1].isspace())
    ]
    assert not wrong


def test_every_number_can_be_said(catalog: tuple[str, Catalog]) -> None:
    """No form of any text raises an error, whatever the number."""
    code, messages = catalog
    found = find_catalog([code])
    assert found is not None
    found.speak()
    try:
        for message in messages:
            if message.pluralizable and is_translated(message.string):
                assert len(translations_of(message)) == messages.num_plurals
        for number in (0, 1, 2, 5, 11, 21, 1200, 1_000_000):
            assert re.search(r"\d", pushes_text(number))
    finally:
        speak(None)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("ru", ["1 толчок", "2 толчка", "5 толчков", "11 толчков", "21 толчок"]),
        ("zh_CN", ["1 推", "2 推", "5 推", "11 推", "21 推"]),
    ],
)
def test_the_plural_forms_of_pushes(code: str, said: list[str]) -> None:
    found = find_catalog([code])
    assert found is not None
    found.speak()
    try:
        assert [pushes_text(number) for number in (1, 2, 5, 11, 21)] == said
    finally:
        speak(None)


def test_a_lost_placeholder_is_found() -> None:
    (message,) = [Message("undo takes back {count} moves", "rückgängig", [("sokoterm/a.py", 1)])]
    assert [*wrong_placeholders(message)] == ["rückgängig"]
