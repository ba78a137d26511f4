"""``sokoterm bench solver``: a pack solved, level by level, with totals to hold beside those of another version."""

from collections.abc import Sequence
from time import monotonic

from sokoterm.engine.printable import printable
from sokoterm.solver.protocol import Status, command_limits
from sokoterm.verbs.levels import Chosen, Levels
from sokoterm.verbs.parser import PackArguments, Parser
from sokoterm.verbs.searches import Answer
from sokoterm.verbs.solve import add_search, answers, status_text

_SECONDS = 10.0
_HEAD = "level  status            seconds       nodes      stored  pushes   moves  strategy  title"


class _Arguments(PackArguments):
    suite: str | None
    time: float
    jobs: int
    strategy: str


def run(arguments: list[str]) -> int:
    """Prints a row for each level, the totals and the signature; 2 if a level could not be read."""
    parser = Parser(
        "bench solver",
        "Solve a pack and print what it took.  The signature counts the nodes of every search of which the clock\n"
        "ended no part: it stays the same from run to run, until the search itself is changed.",
        "sokoterm bench solver --suite levels.txt --time 2 --jobs 2",
    )
    parser.add_argument("--suite", metavar="PACK", help="a PACK as for solve; default: the bundled packs")
    parser.add_reading()
    add_search(parser, _SECONDS)
    parsed = parser.parse(arguments, _Arguments())
    levels = Levels([] if parsed.suite is None else [parsed.suite], None, reading=parsed.reading)
    limits = command_limits(monotonic)._replace(seconds=parsed.time)
    began = monotonic()
    print(_HEAD)
    found = []
    for chosen, answer in answers(list(levels), parsed.strategy, limits, parsed.jobs):
        print(_row(chosen, answer), flush=True)
        found.append(answer)
    print(_totals(found, monotonic() - began))
    return levels.status


def _row(chosen: Chosen, answer: Answer) -> str:
    outcome, solution = answer
    pushes, moves = (solution.pushes, solution.moves) if solution else ("", "")
    return (
        f"{chosen.level.number:5}  {status_text(outcome):<15} {outcome.seconds:9.2f} {outcome.nodes:11} "
        f"{outcome.stored:11} {pushes:7} {moves:7}  {outcome.strategy:<8}  {printable(chosen.level.title)}"
    ).rstrip()


def _totals(found: Sequence[Answer], seconds: float) -> str:
    solutions = [answer.solution for answer in found if answer.solution]
    unsolvable = sum(answer.outcome.status is Status.UNSOLVABLE for answer in found)
    repeatable = [answer.outcome.nodes for answer in found if answer.outcome.repeatable]
    nodes = sum(answer.outcome.nodes for answer in found)
    searching = sum(answer.outcome.seconds for answer in found)
    return f"""
solved      {len(solutions)} of {len(found)}{f", {unsolvable} proven unsolvable" if unsolvable else ""}
pushes      {sum(solution.pushes for solution in solutions)}
moves       {sum(solution.moves for solution in solutions)}
seconds     {searching:.2f} of search, {seconds:.2f} in all
nodes       {nodes}, {nodes / searching if searching else 0:.0f} a second
signature   {sum(repeatable)} nodes in {len(repeatable)} levels"""
