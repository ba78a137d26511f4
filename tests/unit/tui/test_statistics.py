"""What ``--stats`` counts."""

from itertools import count

from sokoterm.tui.statistics import Statistics


class Clock:
    """A second for each look at it."""

    def __init__(self) -> None:
        self._ticks = count()

    def __call__(self) -> float:
        return float(next(self._ticks))


def lines(statistics: Statistics, sent: int) -> dict[str, str]:
    """The report, by what each line is about."""
    return {line[:14].rstrip(): line[15:] for line in statistics.report(sent).splitlines()}


def test_a_game_is_counted() -> None:
    statistics = Statistics(Clock())
    statistics.painted(1500, "", 0)
    for moves, size in enumerate((30, 40, 90), start=1):
        statistics.pressed(["l"])
        statistics.painted(size, "", moves)
    statistics.pressed(["l", "l", "resize"])
    statistics.painted(0, "", 3)  # the line was busy
    statistics.painted(50, "", 5)  # two moves in one picture are no move
    report = lines(statistics, 2000)
    assert report["first picture"].startswith("1,500 bytes")
    assert report["pictures"] == "5; 2,000 bytes in all"
    assert report["a move, bytes"] == "40 median, 90 p95, 90 most"
    assert report["key to picture"] == "1000.0 median, 2000.0 p95, 2000.0 most ms; 5 keys"
    assert report["solving"] == report["replaying"] == "never"


def test_bytes_a_second_are_those_of_what_went_on() -> None:
    statistics = Statistics(Clock())
    for size, activity in ((100, "solving"), (40, "solving"), (60, ""), (500, "replaying"), (7, "")):
        statistics.painted(size, activity, 0)
    report = lines(statistics, 707)
    assert report["solving"] == "50 bytes a second, for 2.0 s"
    assert report["replaying"] == "7 bytes a second, for 1.0 s"


def test_nothing_was_counted() -> None:
    assert "cannot be counted" in Statistics(Clock()).report(0)
    assert lines(Statistics(Clock()), 7)["a move, bytes"] == "none"


def test_a_suspension_counts_for_nothing() -> None:
    times = iter((0.0, 1.0, 2.0, 100.0, 102.0, 500.0, 501.0))
    statistics = Statistics(lambda: next(times))
    statistics.painted(100, "solving", 0)
    statistics.pressed(["C-z"])
    statistics.resumed()
    statistics.painted(100, "solving", 0)
    statistics.pressed(["resume"])
    statistics.painted(100, "", 0)
    report = lines(statistics, 300)
    assert report["solving"] == "67 bytes a second, for 3.0 s"
    assert report["key to picture"] == "none ms; 1 keys"


def test_of_a_moment_no_rate_is_told() -> None:
    times = iter((0.0, 0.0, 0.5))
    statistics = Statistics(lambda: next(times))
    statistics.painted(100, "solving", 0)
    statistics.painted(40, "", 0)
    assert lines(statistics, 140)["solving"] == "40 bytes, for 0.5 s"
