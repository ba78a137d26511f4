"""What ``--stats`` counts."""

from itertools import count

from sokoterm.tui.traffic import Traffic


class Clock:
    """A second for each look at it."""

    def __init__(self) -> None:
        self._ticks = count()

    def __call__(self) -> float:
        return float(next(self._ticks))


def lines(traffic: Traffic, sent: int) -> dict[str, str]:
    """The report, by what each line is about."""
    return {line[:14].rstrip(): line[15:] for line in traffic.report(sent).splitlines()}


def test_a_game_is_counted() -> None:
    traffic = Traffic(Clock())
    traffic.painted(1500, "", 0)
    for moves, size in enumerate((30, 40, 90), start=1):
        traffic.pressed(["l"])
        traffic.painted(size, "", moves)
    traffic.pressed(["l", "l", "resize"])
    traffic.painted(0, "", 3)  # the line was busy
    traffic.painted(50, "", 5)  # two moves in one picture are no move
    report = lines(traffic, 2000)
    assert report["first picture"].startswith("1,500 bytes")
    assert report["pictures"] == "5; 2,000 bytes in all"
    assert report["a move, bytes"] == "40 median, 90 p95, 90 most"
    assert report["key to picture"] == "1,000.0 median, 2,000.0 p95, 2,000.0 most ms; 5 keys"
    assert report["solving"] == report["replaying"] == "never"


def test_bytes_a_second_are_those_of_what_went_on() -> None:
    traffic = Traffic(Clock())
    for size, activity in ((100, "solving"), (40, "solving"), (60, ""), (500, "replaying"), (7, "")):
        traffic.painted(size, activity, 0)
    report = lines(traffic, 707)
    assert report["solving"] == "50 bytes a second, for 2.0 s"
    assert report["replaying"] == "7 bytes a second, for 1.0 s"


def test_nothing_was_counted() -> None:
    assert "cannot be counted" in Traffic(Clock()).report(0)
    assert lines(Traffic(Clock()), 7)["a move, bytes"] == "none"


def test_a_suspension_counts_for_nothing() -> None:
    times = iter((0.0, 1.0, 2.0, 100.0, 102.0, 500.0, 501.0))
    traffic = Traffic(lambda: next(times))
    traffic.painted(100, "solving", 0)
    traffic.pressed(["C-z"])
    traffic.resumed()
    traffic.painted(100, "solving", 0)
    traffic.pressed(["resume"])
    traffic.painted(100, "", 0)
    report = lines(traffic, 300)
    assert report["solving"] == "67 bytes a second, for 3.0 s"
    assert report["key to picture"] == "none ms; 1 key"


def test_of_a_moment_no_rate_is_told() -> None:
    times = iter((0.0, 0.0, 0.5))
    traffic = Traffic(lambda: next(times))
    traffic.painted(100, "solving", 0)
    traffic.painted(40, "", 0)
    assert lines(traffic, 140)["solving"] == "40 bytes, for 0.5 s"
