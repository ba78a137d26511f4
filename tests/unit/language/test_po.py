"""Catalogs: read as Babel writes them, and compiled as gettext reads them."""

from gettext import GNUTranslations
from io import BytesIO

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po
from hypothesis import given
from hypothesis import strategies as st

from sokoterm.language import _, ngettext, pgettext, speak
from sokoterm.language.po import PoError, compiled, messages_of
from sokoterm.store.languages import find_catalog, languages

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
    try:
        speak(russian())
        assert [ngettext("{n} push", "{n} pushes", number) for number in (1, 3, 5)] == [
            "1 толчок",
            "3 толчка",
            "5 толчков",
        ]
        assert pgettext("heading", "best").startswith("лучшее")
        assert _("undo {key}", key="u") == "undo u"
    finally:
        speak(None)
    assert ngettext("{n} push", "{n} pushes", 3) == "3 pushes"


def test_no_catalog_is_found_for_english_and_for_languages_without_one() -> None:
    assert find_catalog(["en", "ru"]) is None
    assert find_catalog(["xx", "../../x"]) is None
    assert "en" in languages()
