"""Improvement of solutions: by the session, told as where and how much, shown when asked for."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sokoterm.app.improvement import ImproveChoices, Scope, Shown, ShowReplay, gain_of
from sokoterm.app.request import ChooseImprovement, Improve, Improved, Note
from sokoterm.engine.bits import squares_of
from sokoterm.engine.guide import Stretch
from sokoterm.engine.level import Level
from sokoterm.engine.lurd import Solution, verify
from sokoterm.solver.optimizer.objective import Objective
from sokoterm.solver.search import Found
from sokoterm.store.known_levels import KnownSolution, Source
from tests.present import present
from tests.unit.app.player import Player
from tests.unit.app.searches import EASY, FIRST, SOLVED, ForegroundSearch, Said, saying

HALL = "########\n#      #\n#@$   .#\n#      #\n#      #\n########\n"
LEVEL = Level.from_xsb(HALL)
DETOUR = "RurDldRRRdrU"
IMPROVED = ShowReplay("", "RRRR", Source.OPTIMIZER)
OWN = ShowReplay("", DETOUR, Source.OWN)


def solution(lurd: str) -> Solution:
    return verify(LEVEL.board, LEVEL.start, lurd)


def own(lurd: str) -> KnownSolution:
    return KnownSolution(solution(lurd), "", Source.OWN)


def asked(player: Player) -> ImproveChoices:
    """What there is to choose from, once an improvement is asked for."""
    answer = player.act("improve")
    assert isinstance(answer, ChooseImprovement)
    return answer.choices


def improve(player: Player) -> None:
    """Begin to improve the best of the player, as it is chosen at first."""
    player.ask(Improve(asked(player)))


@contextmanager
def improving(folder: Path, pack: str = HALL, *said: Said) -> Iterator[Player]:
    """A player who has solved the hall by a detour and improves that, by searches or by what they are to say."""
    with Player(folder, pack, saying(*said) if said else ForegroundSearch) as player:
        player.move(DETOUR)
        improve(player)
        yield player


def improved(told: Sequence[object]) -> Improved:
    """The one thing that was told, which is of an improvement."""
    (one,) = told
    assert isinstance(one, Improved)
    return one


def test_the_own_best_is_improved_told_and_shown_and_stays_the_own_best(tmp_path: Path) -> None:
    with improving(tmp_path) as player:
        assert player.model.is_improving
        improvement = improved(player.hear()).improvement
        assert improvement.is_proven
        gain = present(improvement.gain)
        assert (gain.metric, gain.count, gain.stretch) == (Objective.MOVES, 8, Stretch(1, 12, 1, 4, 8, 2))
        assert player.act("replay") == IMPROVED
        assert not improvement.has_news
        best = present(player.model.pack_session.best(player.model.level).by_moves)
        assert best.lurd == DETOUR


def test_what_was_found_is_known_in_the_next_session(tmp_path: Path) -> None:
    with improving(tmp_path) as player:
        player.hear()
    with Player(tmp_path, HALL) as player:
        assert player.act("replay") == OWN
        after = player.model.hints.after(OWN)
        assert after == ShowReplay("", "RRRR", Source.KNOWN, "optimizer")
        parts = player.model.hints.parts(OWN)
        assert [(each.first, each.last, each.moves) for each in parts] == [(1, 12, 8)]


def test_yours_and_the_better_one_are_replayed_in_turn_with_what_sets_them_apart(tmp_path: Path) -> None:
    with improving(tmp_path) as player:
        player.hear()
        assert player.model.hints.after(OWN) == IMPROVED
        assert player.model.hints.after(IMPROVED) == OWN
        assert player.model.hints.parts(OWN) == [Stretch(1, 12, 1, 4, 8, 2)]
        assert player.model.hints.parts(IMPROVED) == [Stretch(1, 4, 1, 12, -8, -2)]


def test_it_goes_on_while_another_level_is_played_and_is_told_there(tmp_path: Path) -> None:
    with improving(tmp_path, f"{HALL}\n{EASY}", FIRST, Found(solution("RRRR")), SOLVED) as player:
        player.act("next level")
        assert player.session.is_searching
        assert improved(player.hear(3)).is_elsewhere
        assert player.act("previous level", "replay") == IMPROVED


def test_stopped_it_keeps_what_it_has(tmp_path: Path) -> None:
    with improving(tmp_path, HALL, FIRST, Found(solution("RRRR")), FIRST) as player:
        player.hear(2)
        assert not improved([player.act("improve")]).is_elsewhere
        assert not player.session.is_searching
        known = player.model.pack_session.lookups.known(player.model.level)
        assert [each.solution.lurd for each in known] == ["RRRR"]


def test_what_was_found_just_before_it_is_stopped_or_the_player_quits_is_kept(tmp_path: Path) -> None:
    for stop in (True, False):
        folder = tmp_path / str(stop)
        folder.mkdir()
        with improving(folder, HALL, FIRST, Found(solution("RRRR")), FIRST) as player:
            player.hear()
            if stop:
                assert improved([player.act("improve")]).improvement.best == solution("RRRR")
        with Player(folder, HALL) as player:
            known = player.model.pack_session.lookups.known(player.model.level)
            assert [each.solution.lurd for each in known] == ["RRRR"]


def test_it_is_stopped_from_another_level(tmp_path: Path) -> None:
    with improving(tmp_path, f"{HALL}\n{EASY}", FIRST, FIRST) as player:
        player.act("next level")
        assert player.session.improving_elsewhere is not None
        assert improved([player.act("cancel")]).is_elsewhere
        assert not player.session.is_searching
        assert player.session.improving_elsewhere is None


def test_another_improvement_or_search_ends_it_which_is_told(tmp_path: Path) -> None:
    for action in ("improve", "solve"):
        folder = tmp_path / action
        folder.mkdir()
        with improving(folder, f"{HALL}\n{EASY}", *[FIRST] * 9) as player:
            player.act("next level")
            if action == "improve":
                player.move("duRR")
                improve(player)
            else:
                player.act("solve")
            assert improved(player.notices).is_elsewhere


def test_a_search_that_is_asked_for_ends_it(tmp_path: Path) -> None:
    with improving(tmp_path, HALL, FIRST, Found(solution("RRRR")), FIRST, FIRST) as player:
        player.hear(2)
        player.act("restart", "solve")
        assert not player.model.is_improving
        assert not improved(player.notices).is_elsewhere


def test_hints_follow_what_an_improvement_before_has_found(tmp_path: Path) -> None:
    with improving(tmp_path) as player:
        player.hear()
        choices = asked(player)
        choices.turn("solution", 1)  # from the improved one on to the player's own
        assert choices.solution.lurd == DETOUR
        choices.type("11-12")
        choices.cross_nothing()
        player.ask(Improve(choices))
        assert improved(player.hear()).improvement.best is None
        player.act("restart", *["hint"] * 4)
        assert player.lurd == "RRRR"


def test_the_best_of_the_player_and_of_the_optimizer_is_improved_unless_another_one_is_chosen(tmp_path: Path) -> None:
    with improving(tmp_path) as player:
        player.hear()
        improve(player)
        told = improved(player.hear())
        assert (told.improvement.known.lurd, told.improvement.gain) == ("RRRR", None)
    with Player(tmp_path, HALL) as player:
        choices = asked(player)
        assert choices.solution.lurd == "RRRR"
        choices.type("2-9")
        assert (choices.solution.lurd, choices.range) == ("RRRR", None)
        choices.turn("solution", 1)
        assert (choices.solution.lurd, choices.range) == (DETOUR, (2, 9))
        choices.turn("objective", 1)
        assert choices.solution.lurd == DETOUR


def test_the_best_by_the_objective_is_improved_and_one_of_a_file_only_if_it_is_chosen() -> None:
    few_moves, few_pushes = solution(DETOUR), solution("udududududRRRR")
    known = [KnownSolution(each, "", Source.OWN) for each in (few_moves, few_pushes)]
    choices = ImproveChoices(LEVEL, [*known, KnownSolution(solution("RRRR"))])
    assert choices.solution == few_moves
    choices.turn("objective", 1)
    assert choices.solution == few_pushes


def test_a_shown_solution_is_improved_from_the_move_shown_whatever_was_found_before(tmp_path: Path) -> None:
    with improving(tmp_path) as player:
        player.hear()
        shown = player.model.improve_shown(OWN, 8, None)
        assert isinstance(shown, ChooseImprovement)
        choices = shown.choices
        assert choices.solution.lurd == DETOUR
        assert [*choices.scopes] == [Scope.ALL, Scope.FROM_HERE, Scope.UP_TO_HERE]
        choices.turn("scope", 1)
        choices.turn("solution", 1)
        assert (choices.solution.lurd, choices.scope) == ("RRRR", Scope.ALL)


def test_solutions_that_differ_only_by_walks_of_equal_length_are_one(tmp_path: Path) -> None:
    with Player(tmp_path, f"{HALL}Solution: duRRRR\nSolution: dduuRRRR\n") as player:
        player.move("udRRRR")
        lookups, level = player.model.pack_session.lookups, player.model.level
        while (work := lookups.idle_work(level)) is not None:
            work()
        choices = asked(player)
        assert [each.solution.lurd for each in choices.known] == ["udRRRR", "dduuRRRR"]


def test_a_level_that_was_never_solved_has_nothing_to_improve(tmp_path: Path) -> None:
    with Player(tmp_path, HALL) as player:
        assert player.act("improve") is Note.NOTHING_TO_IMPROVE


def test_of_a_shown_solution_only_a_part_may_change() -> None:
    choices = ImproveChoices(LEVEL, [own(DETOUR)], shown=Shown(solution(DETOUR), 3, (1, 9)))
    choices.type("2-7")
    ranges = []
    for _ in choices.scopes:
        ranges.append((choices.scope, choices.range))
        choices.turn("scope", 1)
    assert ranges == [
        (Scope.TYPED, (2, 7)), (Scope.ALL, (0, None)), (Scope.FROM_HERE, (3, None)), (Scope.UP_TO_HERE, (0, 3)),
        (Scope.STRETCH, (1, 9)),
    ]  # fmt: skip


def test_what_is_typed_until_it_is_a_range() -> None:
    choices = ImproveChoices(LEVEL, [own(DETOUR)])
    tasks = []
    for sign in "9-12":
        choices.type(sign)
        task = choices.task
        tasks.append((task.steering.first, task.steering.last) if task is not None else None)
    assert tasks == [None, (9, None), None, (9, None)]
    for _ in range(4):
        choices.rub_out()
    assert choices.scope is Scope.ALL


def test_what_is_typed_after_another_choice_begins_anew() -> None:
    choices = ImproveChoices(LEVEL, [own(DETOUR)])
    choices.type("2-7")
    choices.turn("scope", -1)
    choices.rub_out()
    assert (choices.scope, choices.typed) == (Scope.ALL, "2-7")
    choices.type("9-")
    assert choices.range == (9, None)


def test_one_other_solution_is_taken_parts_of_or_not() -> None:
    choices = ImproveChoices(LEVEL, [own(DETOUR), own("RRRR")])
    crossed = []
    for _ in range(3):
        crossed.append(len(choices.crossed))
        choices.turn("crossing", 1)
    assert crossed == [1, 0, 1]


def test_parts_are_taken_of_all_others_of_one_or_of_none() -> None:
    others = [solution(lurd) for lurd in ("RRRR", "udRRRR")]
    choices = ImproveChoices(LEVEL, [own(DETOUR), *(KnownSolution(each) for each in others)])
    crossed = []
    for _ in range(4):
        crossed.append([*present(choices.task).steering.others])
        choices.turn("crossing", 1)
    assert crossed == [others, [], others[:1], others[1:]]


def test_a_kept_box_reaches_the_optimizer(tmp_path: Path) -> None:
    with Player(tmp_path, HALL) as player:
        player.move(DETOUR)
        choices = asked(player)
        [box] = squares_of(LEVEL.start.boxes)
        choices.mark(box)
        player.ask(Improve(choices))
        player.hear()
        assert present(player.model.hints.improvement).best is None


def test_a_gain_in_another_count_is_told_where_the_objective_gains_nothing() -> None:
    gain = present(gain_of(LEVEL, solution("udRRRR"), solution("RRRR"), Objective.PUSHES))
    assert (gain.metric, gain.count, gain.share) == (Objective.MOVES, 2, 2)


def test_nothing_is_gained_by_the_same_solution() -> None:
    assert gain_of(LEVEL, solution("RRRR"), solution("RRRR"), Objective.LINES) is None
