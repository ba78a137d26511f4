"""Figures of a level, and what is noted of a win."""

from pathlib import Path
from unittest.mock import patch

from sokoterm.app.options import Series
from sokoterm.app.play import LevelFigures, figures_of
from sokoterm.app.request import ChooseImprovement, Improve
from sokoterm.engine.lurd import verify
from sokoterm.store.known_levels import Par, Source
from sokoterm.store.solutions import Summary
from tests.present import present
from tests.unit.app.generated import solution_of_floor
from tests.unit.app.player import Player, SeriesPlayer
from tests.unit.app.searches import ForegroundProver
from tests.unit.store.stores import FEWEST_MOVES, FEWEST_PUSHES, LAMP, LAMP_SOLVED, TWO_WAYS

PACK = "\n".join([*TWO_WAYS.rows, "", "#####", "#@$.#", "#####", "", "######", "#.$ @#", "######"])
SHORT, LONG = len(FEWEST_MOVES), len(FEWEST_PUSHES)


def test_a_win_has_its_figures_the_time_and_the_best_before(tmp_path: Path) -> None:
    with Player(tmp_path, PACK) as player:
        player.session.note_key(is_played=True)
        player.move(FEWEST_PUSHES)
        first = present(player.model.win)
        assert (first.lurd, first.moves, first.pushes, first.before) == (FEWEST_PUSHES, LONG, 2, None)
        assert first.seconds > 0
        player.act("restart")
        player.move(FEWEST_MOVES)
        second = present(player.model.win)
        assert (second.before, second.is_new_best, second.seconds) == (Summary(LONG, 2), True, 0)
        player.act("restart")
        player.move(FEWEST_MOVES)
        third = present(player.model.win)
        assert (third.before, third.is_new_best) == (Summary(SHORT, 2), False)


def test_a_walk_on_the_solved_board_is_no_other_win(tmp_path: Path) -> None:
    with Player(tmp_path, PACK) as player:
        player.move(FEWEST_PUSHES)
        win = player.model.win
        player.move("d")
        assert player.model.win is win
        assert len(player.records) == 2


def test_the_next_unsolved_level_and_at_the_end_how_many_are_left(tmp_path: Path) -> None:
    with Player(tmp_path, PACK) as player:
        player.ask(player.model.go_to_level(2))
        player.move("r")
        assert player.model.win is not None
        assert (player.model.win.following, player.model.win.unsolved) == (3, 2)
        player.ask(player.model.go_to_level(3))
        player.move("ll")
        assert (player.model.win.following, player.model.win.unsolved) == (1, 1)
        player.ask(player.model.go_to_level(1))
        player.move(FEWEST_MOVES)
        assert (player.model.win.following, player.model.win.unsolved) == (None, 0)


def test_the_bound_is_an_optimum_once_a_solution_meets_it(tmp_path: Path) -> None:
    with Player(tmp_path, PACK) as player:
        session, level = player.model.pack_session, player.model.level
        assert figures_of(session, level) == LevelFigures(None, None, 0, 0)  # not known at once
        player.rest(10)
        assert figures_of(session, level) == LevelFigures(None, None, 2, 0)
        player.move(FEWEST_MOVES)
        assert figures_of(session, level) == LevelFigures(Summary(SHORT, 4), None, 2, 0)
        player.act("restart")
        player.move(FEWEST_PUSHES)
        assert figures_of(session, level) == LevelFigures(Summary(SHORT, 2), None, 2, 2)


def test_a_solution_in_the_file_is_the_best_known(tmp_path: Path) -> None:
    with Player(tmp_path, "\n".join([*TWO_WAYS.rows, f"Solution: {FEWEST_PUSHES}"])) as player:
        figures_of(player.model.pack_session, player.model.level)
        player.rest(10)
        known = figures_of(player.model.pack_session, player.model.level)
        assert known == LevelFigures(None, Summary(LONG, 2), 2, 2)


def test_a_solution_that_the_program_found_is_known_and_not_the_players(tmp_path: Path) -> None:
    with Player(tmp_path, PACK) as player:
        session, level = player.model.pack_session, player.model.level
        player.store.keep_found(level, verify(level.board, level.start, FEWEST_PUSHES), "optimizer")
        assert player.store.save_rows() is None
        assert figures_of(session, level).known is None  # not known at once
        player.rest(10)
        assert figures_of(session, level) == LevelFigures(None, Summary(LONG, 2), 2, 2)
        assert session.count_unsolved() == 3
        (offer,) = player.model.hints.kept()
        assert (offer.lurd, offer.source, offer.credit) == (FEWEST_PUSHES, Source.KNOWN, "optimizer")
        player.move(FEWEST_MOVES)
        assert present(player.model.win).before is None


def test_the_other_levels_are_hashed_before_the_first_win_counts_them(tmp_path: Path) -> None:
    """A pack of 500 levels kept the card of the first win waiting for a seventh of a second."""
    many = "\n\n".join(PACK for __ in range(20))
    with Player(tmp_path, many) as player:
        player.rest(10)
        session = player.model.pack_session
        with patch("sokoterm.app.pack_session.level_hash") as hashed:
            assert session.count_unsolved() == session.pack.size
        assert not hashed.called


def test_a_perfect_solution_is_proven_after_the_win_and_the_proof_is_kept(tmp_path: Path) -> None:
    with Player(tmp_path, LAMP, make_prover=ForegroundProver) as player:
        session, level = player.model.pack_session, player.model.level
        player.move(LAMP_SOLVED)
        best = Summary(29, 10)
        assert figures_of(session, level) == LevelFigures(best, None, 6, 0)
        player.rest(20)
        assert figures_of(session, level) == LevelFigures(best, None, 10, 10, 29)
        assert player.model.question is None
    mirrored = "\n".join(row.ljust(7)[::-1] for row in LAMP.splitlines())
    for rows in (LAMP, mirrored):
        with Player(tmp_path, rows) as player:
            figures = figures_of(player.model.pack_session, player.model.level)
            assert (figures.optimum, figures.fewest_moves) == (10, 29)


def test_what_the_optimizer_proves_is_kept(tmp_path: Path) -> None:
    with Player(tmp_path, LAMP) as player:
        player.move(LAMP_SOLVED)
        asked = player.act("improve")
        assert isinstance(asked, ChooseImprovement)
        player.ask(Improve(asked.choices))
        player.hear(3)
        assert present(player.model.hints.improvement).is_proven
        assert figures_of(player.model.pack_session, player.model.level).fewest_moves == 29


def test_the_par_of_a_generated_level_is_its_optimum(tmp_path: Path) -> None:
    with SeriesPlayer(tmp_path, Series(True)) as player:
        par = solution_of_floor(7, 1).pushes
        figures = figures_of(player.model.pack_session, player.model.level)
        assert (figures.needs, figures.optimum) == (par, par)
        player.move(solution_of_floor(7, 1).lurd)
        win = present(player.model.win)
        assert (win.pushes, win.par, win.stars) == (par, Par(par, True), 3)
