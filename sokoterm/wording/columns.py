"""Text measured in terminal columns: wide characters take two, combining characters none."""

import re
from collections.abc import Iterator

WIDE_FILLER = "\0"
"""The second column of a character two columns wide."""

# Blanks inside numbers and before some punctuation, which Python does not count as printable.
_NO_BREAK = "\u00a0\u202f"
# Pieces between which a line may break: blanks, or a wide character or a word, with the punctuation around it.
_OPENING = "(?:[（「『【《〈“‘«(\\[]\0?)*"  # noqa: RUF001
_CLOSING = "(?:[、。，．：；！？）」』】》〉・ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ…”’»:;,.!?)\\]%]\0?)*"  # noqa: RUF001
_PIECES = f"[ \t\n]+|{_OPENING}(?:[^ \t\n\0]\0|(?:[^ \t\n\0](?!\0))+){_CLOSING}"
_CELL = "[^\0]\0?"
_LOOSE_END = f"(?:[ ,;:(、，；：（{_NO_BREAK}]\0?)+$"  # noqa: RUF001 - not shown before the dots of a cut text
_LEAST_BEGIN = 8  # columns needed to show the beginning of a sentence before the kept part


def text_width(text: str) -> int:
    return len(text) if is_simple(text) else sum(1 for _ in columns_of(text))


def clipped(text: str, width: int) -> str:
    """Return text cut to a width, with dots if it is too long."""
    if len(text) <= width and is_simple(text):
        return text
    shown = "".join(columns_of(text)).replace(WIDE_FILLER, "")
    if text_width(shown) <= width:
        return shown
    return start_of(shown, width - 2) + ".." if width >= 2 else ""


def start_of(text: str, width: int) -> str:
    """Return as much of a text as fits into a width, without dots.

    >>> start_of("push", 3), start_of("推箱", 3)
    ('pus', '推')
    """
    used = 0
    for index, character in enumerate(text):
        used += text_width(character)
        if used > width:
            return text[:index]
    return text


def padded(text: str, width: int) -> str:
    """Return text padded with blanks to a width; longer text is unchanged.

    >>> padded("push", 6), padded("推箱", 6)
    ('push  ', '推箱  ')
    """
    return text + " " * (width - text_width(text))


def cut_at_a_word(text: str, width: int, kept: str = "") -> str:
    """Return text cut to a width after a word, with dots if it is too long.

    ``kept`` is an essential part of the text, such as the name of a key: if the rest from there fits, words before it
    are cut instead.

    >>> cut_at_a_word("known 97 pushes, 230 moves", 18)
    'known 97 pushes...'
    >>> cut_at_a_word("a solution of 97 moves, 23 pushes: Enter takes it", 30, "Enter")
    'a solution... Enter takes it'
    >>> cut_at_a_word("dead, U goes back: a box that can reach no goal", 22, "U")
    'dead, U goes back...'
    """
    if text.isascii() and text.isprintable() and len(text) <= width or text_width(text) <= width:
        return text
    cut = _start_at_a_word(text, width)
    if not kept or not (found := [*re.finditer(rf"[(（]?(?<!\w){re.escape(kept)}(?!\w)", text, re.ASCII)]):  # noqa: RUF001
        return cut
    begin, end = text[: found[-1].start()].rstrip(), text[found[-1].start() :]
    room = width - text_width(end) - 1
    if room >= _LEAST_BEGIN and begin:
        return f"{_start_at_a_word(begin, room)} {end}"
    return cut if kept in cut else cut_at_a_word(end, width)


def typed_line(question: str, typed: str, width: int) -> str:
    """Return a question and the end of the text typed so far, with room for the cursor.

    >>> typed_line("title:", "The long way home", 20)
    'title: ong way home'
    """
    question = f"{clipped(question, width // 2)} "
    room = width - text_width(question) - 1
    typed = typed[-room:]
    while text_width(typed) > room:
        typed = typed[1:]
    return question + typed


def _start_at_a_word(text: str, width: int) -> str:
    """Return the first words of a text that does not fit, followed by dots."""
    seen = "".join(columns_of(start_of(text, 2 * width)))  # titles of foreign files may be a million words
    ends = (seen[: piece.end()] for piece in re.finditer(_PIECES, seen))
    kept = [part for each in ends if (part := re.sub(_LOOSE_END, "", each)) and len(part) + 3 <= width]
    return f"{kept[-1]}...".replace(WIDE_FILLER, "") if kept else clipped(text, width)


def folded(text: str, width: int, begin: str = "", *, cut_words: bool = True) -> list[str]:
    """Return text wrapped between words or wide characters; ``begin`` comes before the first line.

    Words longer than a line are cut, or overflow if ``cut_words`` is False.

    >>> folded("walks are off: P turns them on", 16)
    ['walks are off: P', 'turns them on']
    >>> folded("推箱子 12 步", 8, "- ")
    ['- 推箱子', '  12 步']
    """
    if text_width(begin) + text_width(text) <= width:
        return [begin + text]
    from textwrap import TextWrapper  # only for text that does not fit

    class _Wrapper(TextWrapper):
        def _split(self, text: str) -> list[str]:
            if WIDE_FILLER not in text:
                return super()._split(text)
            pieces, room = re.findall(_PIECES, text), width - len(indent) if cut_words else len(text)
            # The base would part a wide character from its second column.
            return [part for piece in pieces for part in (re.findall(_CELL, piece) if len(piece) > room else [piece])]

    indent, begin = " " * text_width(begin), "".join(columns_of(begin))
    wrapper = _Wrapper(width, begin, indent, break_long_words=cut_words, break_on_hyphens=cut_words)
    return [line.replace(WIDE_FILLER, "") for line in wrapper.wrap("".join(columns_of(text)))]


def ascii_text(text: str) -> str:
    """Return text of the same width in ASCII: similar signs for lines and blocks, question marks for the rest."""
    drawn = text.translate(_ASCII_LINES).translate(_ASCII_WIDE)
    return "".join(each if each.isascii() and each.isprintable() else "?" for each in columns_of(drawn))


_LINES = f"╭╮╰╯┌┐└┘├┤┬┴┼│┃─━╸┿╋▁▂▃▄▅▆▇█▀▌▐░▒▓·♥{_NO_BREAK}"
_ASCII_LINES = str.maketrans(_LINES, "+++++++++++++||-==~+_.,-=+*##||.:%.&  ")
_ASCII_WIDE = {ord("⭐"): "* ", ord("🟧"): "::", ord("🟦"): "##"}  # of a result to share
_CONSOLE_LINES = str.maketrans("╭╮╰╯━╸┿╋▁▂▃▅▆▇", "┌┐└┘══╪╬▄▄▄▄██")


def console_text(text: str) -> str:
    """Return text of the same width with only the lines and blocks in every Linux console font (CP437)."""
    return text.translate(_CONSOLE_LINES)


def narrow_text(text: str) -> str:
    """Return text with lines and blocks in ASCII, for terminals where they take two columns."""
    return text.translate(_ASCII_LINES)


def is_simple(text: str) -> bool:
    """True if every character takes one column and there are no control characters."""
    drawn = text if text.isascii() else text.translate(_ASCII_LINES)
    return drawn.isascii() and drawn.isprintable()


def columns_of(text: str) -> Iterator[str]:
    """Yield one item for each column: a character, or WIDE_FILLER after a wide one."""
    if is_simple(text):
        yield from text
        return
    from unicodedata import combining, east_asian_width  # only for wide characters

    for character in text:
        if combining(character) or not character.isprintable() and character not in _NO_BREAK:
            continue
        yield character
        if east_asian_width(character) in "WF":
            yield WIDE_FILLER
