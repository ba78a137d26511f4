import io
import os
import sys

import pytest

from sokoterm.linemode.lines import Event, Lines, SelectedLines


def test_lines_where_nothing_else_can_be_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("left\r\n\nu"))
    lines = Lines()
    assert [lines.read(None) for _ in range(5)] == ["left", "", "u", Event.END, Event.END]
    assert lines.pause(0) is Event.NOTHING


def test_ctrl_c_while_a_line_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.setattr(sys.stdin, "readline", interrupted)
    assert Lines().read(None) is Event.INTERRUPT


@pytest.fixture
def typed() -> "list[int]":
    """Descriptor 0 becomes a pipe for as long as the test runs; its other end."""
    read_end, write_end = os.pipe()
    kept = os.dup(0)
    os.dup2(read_end, 0)
    os.close(read_end)
    return [write_end, kept]


def test_lines_come_with_what_wakes(typed: list[int]) -> None:
    write_end, kept = typed
    try:
        lines = SelectedLines()
        assert lines.read(0) is Event.NOTHING
        os.write(write_end, b"lef")
        assert lines.read(0) is Event.NOTHING
        os.write(write_end, b"t\r\n\xff\nu")
        assert [lines.read(0), lines.read(0)] == ["left", "\ufffd"]
        os.write(write_end, "größe\n".encode("latin-1"))
        assert SelectedLines("latin-1").read(0) == "größe"
        os.write(write_end, b"\x1b[?62;22cpack 1\x1bP>|tmux\x1b\\\n\x1b[Apa\x1b[99;1uk\x1b[\n")
        answered = SelectedLines()
        assert [answered.read(0), answered.read(0)] == ["pack 1", "pack"], "sequences are no part of a line"
        lines.wake()
        assert lines.read(None) is Event.NOTHING
        lines.wake()
        assert lines.pause(0) is Event.NOTHING
        assert lines.read(None) is Event.NOTHING, "a pause loses no wake-up"
        os.close(write_end)
        assert [lines.read(None), lines.read(None), lines.read(None)] == ["u", Event.END, Event.END]
    finally:
        os.dup2(kept, 0)
        os.close(kept)
