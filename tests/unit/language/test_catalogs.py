"""Catalogs: nothing is missing, placeholders are those of the source; they are read as Babel writes them."""

import ast
import re
import string
from collections import Counter
from collections.abc import Iterator
from gettext import GNUTranslations
from io import BytesIO

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import write_po
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.app.keymap import NAMED_KEYS, english, key_shown_as, shown
from sokoterm.language import _, labelled, listed, ngettext, pgettext, pushes_text, speak
from sokoterm.language.po import PoError, compiled, messages_of
from sokoterm.store.languages import ENGLISH, LATER, SOON, find_catalog, languages
from sokoterm.store.packs import names_with
from tests.catalogs import ROOT, TERMS, catalog_of, glossary_of, is_translated, template
from tests.present import present

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


def test_no_message_is_inside_of_an_f_string() -> None:
    """The tool of catalogs does not look there."""
    calls = {"_", "N_", "pgettext", "ngettext"}
    found = [
        f"{file.name}:{call.lineno}"
        for file in sorted((ROOT / "sokoterm").rglob("*.py"))
        for text in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in calls
        if any(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in call.args)
    ]
    assert not found


def test_placeholders_are_those_of_the_source(catalog: tuple[str, Catalog]) -> None:
    __, messages = catalog
    wrong = [
        f"{message.id!r}: {text!r}"
        for message in messages
        if message.id and is_translated(message.string)
        for text in wrong_placeholders(message)
    ]
    assert not wrong, "\n".join(wrong)


def test_the_glossary_has_every_term_and_only_its_words_are_used(catalog: tuple[str, Catalog]) -> None:
    code, messages = catalog
    glossary = glossary_of(code)
    assert [term for term in TERMS if term not in glossary] == []
    banned = "|".join(re.escape(word) for _, never in glossary.values() for word in never)
    # Chinese and Japanese have no blanks between words.
    found = re.compile(f"({banned})" if code in {"ja", "zh_CN"} else rf"\b({banned})\b", re.IGNORECASE)
    used = [text for message in messages for text in translations_of(message) if banned and found.search(text)]
    assert used == []


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
    present(find_catalog([code])).speak()
    for message in messages:
        if message.pluralizable and is_translated(message.string):
            assert len(translations_of(message)) == messages.num_plurals
    for number in (0, 1, 2, 5, 11, 21, 1200, 1_000_000):
        assert re.search(r"\d", pushes_text(number))


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("ru", ["1 толчок", "2 толчка", "5 толчков", "11 толчков", "21 толчок"]),
        ("zh_CN", ["1 推", "2 推", "5 推", "11 推", "21 推"]),
    ],
    indirect=["code"],
)
@pytest.mark.usefixtures("code")
def test_the_plural_forms_of_pushes(said: list[str]) -> None:
    assert [pushes_text(number) for number in (1, 2, 5, 11, 21)] == said


def test_no_line_of_french_breaks_before_a_mark() -> None:
    catalog = present(find_catalog(["fr"]))
    spoken = GNUTranslations(BytesIO(catalog.load(SOON)))
    spoken.add_fallback(GNUTranslations(BytesIO(catalog.load(LATER))))
    said = []
    for message in catalog_of("fr"):
        first, *more = texts_of(message)
        if more:
            said += [spoken.ngettext(first, more[0], number) for number in (1, 2, 1_000_000)]
        else:
            said.append(spoken.pgettext(message.context, first) if message.context else spoken.gettext(first))
    assert not [text for text in said[1:] if re.search(r" [:;?!»]|« ", text)]


@pytest.mark.parametrize("code", ["de", "fr", "zh_CN"], indirect=True)
def test_keys_have_their_names_in_the_language_but_not_in_settings(code: str) -> None:
    names = {
        "de": ("Leertaste", "Umschalt+Links", "Strg+R"),
        "fr": ("Espace", "Maj+Gauche", "Ctrl+R"),
        "zh_CN": ("空格", "Shift+左", "Ctrl+R"),
    }[code]
    keys = ("space", "S-left", "C-r")
    assert (*map(shown, keys),) == names
    assert (*map(key_shown_as, names),) == keys
    assert [*map(english, keys)] == ["Space", "Shift-Left", "Ctrl-R"]


@pytest.mark.parametrize(("code", "said"), [("zh_CN", "1：a，b"), ("fr", "1\u00a0: a, b")], indirect=["code"])  # noqa: RUF001
@pytest.mark.usefixtures("code")
def test_names_and_lists_have_the_punctuation_of_the_language(said: str) -> None:
    assert labelled(1, listed(["a", "b"])) == said


@pytest.mark.parametrize("code", CODES, indirect=True)
@pytest.mark.usefixtures("code")
def test_every_key_has_a_name_of_its_own() -> None:
    assert [key_shown_as(shown(key)) for key in NAMED_KEYS] == [*NAMED_KEYS]
    assert not [key for key in NAMED_KEYS if " " in shown(key)]


@pytest.mark.parametrize("code", ["fr"], indirect=True)
@pytest.mark.usefixtures("code")
def test_titles_of_levels_are_found_however_their_file_marks_them() -> None:
    assert names_with("circulez") == ["Move along"]  # behind "Title:"
    assert names_with("four eff") == ["Fallen kiln"]  # behind "; "


def test_a_lost_placeholder_is_found() -> None:
    (message,) = [Message("undo takes back {count} moves", "rückgängig", [("sokoterm/a.py", 1)])]
    assert [*wrong_placeholders(message)] == ["rückgängig"]


# NUL ends a text in a compiled catalog, EOT a context.
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0\x04\r", exclude_categories=["Zl", "Zp", "Cc"]))
RUSSIAN = """\
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);\\n"

#. a comment
#: sokoterm/a.py sokoterm/b.py:12
#, python-brace-format
msgid "{n} push"
msgid_plural "{n} pushes"
msgstr[0] "{n} толчок"
msgstr[1] "{n} толчка"
msgstr[2] "{n} толчков"

#, fuzzy
msgid "undo"
msgstr "назад"

msgctxt "heading"
msgid "best"
msgstr "лучшее"
"\\n\\t\\"\\\\n"
"""


def russian() -> GNUTranslations:
    return GNUTranslations(BytesIO(compiled(messages_of(RUSSIAN))))


@pytest.mark.parametrize(
    ("number", "form"), [(1, "толчок"), (2, "толчка"), (5, "толчков"), (11, "толчков"), (21, "толчок")]
)
def test_three_plural_forms(number: int, form: str) -> None:
    assert russian().ngettext("{n} push", "{n} pushes", number) == f"{{n}} {form}"


def test_a_guess_is_no_translation() -> None:
    assert russian().gettext("undo") == "undo"


def test_a_context_tells_meanings_apart_and_escapes_are_read() -> None:
    assert russian().pgettext("heading", "best") == 'лучшее\n\t"\\n'
    assert russian().gettext("best") == "best"


def test_sources_are_files_without_lines() -> None:
    assert messages_of(RUSSIAN)[1].sources == ("sokoterm/a.py", "sokoterm/b.py")


@given(st.dictionaries(TEXTS.filter(bool), TEXTS.filter(bool), max_size=8), st.integers(20, 100))
def test_reads_and_compiles_what_translators_tools_write(texts: dict[str, str], width: int) -> None:
    catalog = Catalog("ru")
    for text, translation in texts.items():
        catalog.add(text, translation)
    file = BytesIO()
    write_po(file, catalog, width=width)
    read = messages_of(file.getvalue().decode())
    assert {each.text: each.translations for each in read[1:]} == {text: (it,) for text, it in texts.items()}
    translations = GNUTranslations(BytesIO(compiled(read)))
    assert {text: translations.gettext(text) for text in texts} == texts


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('msgid "a', "line 1: found '\"a', expected a text in quotes"),
        ('\nmsgid "\\q"', "line 2: found \\q, expected one of"),
        ('msgid "a"\nmessage "b"', "line 2: found 'message \"b\"', expected one of msgctxt, msgid"),
        ('"alone"', "line 1: found '\"alone\"', expected one of"),
    ],
)
def test_says_where_a_catalog_cannot_be_read(text: str, problem: str) -> None:
    with pytest.raises(PoError) as raised:
        messages_of(text)
    assert problem in str(raised.value)


def test_texts_are_translated_once_a_catalog_is_spoken() -> None:
    speak(russian())
    said = [ngettext("{n} push", "{n} pushes", number) for number in (1, 3, 5)]
    assert said == ["1 толчок", "3 толчка", "5 толчков"]
    assert pgettext("heading", "best").startswith("лучшее")
    assert _("undo {key}", key="u") == "undo u"
    speak(None)
    assert ngettext("{n} push", "{n} pushes", 3) == "3 pushes"


def test_no_catalog_is_found_for_english_and_for_languages_without_one() -> None:
    assert find_catalog(["en", "ru"]) is None
    assert find_catalog(["xx", "../../x"]) is None
    assert "en" in languages()
