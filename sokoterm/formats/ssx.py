"""Reader of SSX, the XML libraries of SokoSolve.

``SokobanLibrary > Details, Categories > Category, Puzzles > Puzzle > PuzzleDescription, Maps > Map > Row, Solutions >
Solution > Steps SolutionDescription`` (SokoSolveLibrary.xsd). ``Details`` and everything called a description hold a
Name, Description, Comments and Author. Each Map is a level; the first of a Puzzle has the texts of the Puzzle.
"""

from sokoterm.engine.level import LevelError, Pack, Record
from sokoterm.formats.limits import DEFAULT_LIMITS, ReadLimits
from sokoterm.formats.xml_reader import BLANKS, Place, XmlDraft, XmlReader, on_one_line, paragraphs, placed
from sokoterm.language import N_, _

# Void, floor, crate, goal, crate on a goal, player, player on a goal; a wall is a wall.
_CELLS = {"~": " ", ".": " ", "X": "$", "O": ".", "$": "*", "P": "@", "*": "+", "#": "#", " ": " "}
_TO_XSB = str.maketrans(_CELLS)
_DESCRIPTIONS = ("details", "categorydescription", "puzzledescription", "mapdetails", "solutiondescription")
_STEPS = "lurdLURD"
# Numbers that only tie the elements of a file together, and the start of solutions, which the board shows.
_PLUMBING = ("libraryid", "maxid", "categoryid", "categoryparentref", "puzzleid", "mapid", "order", "startx", "starty")
# The name of a category is repeated with each of its levels.
_LONGEST_CATEGORY = 100


def parse_ssx(data: bytes, source: str, limits: ReadLimits = DEFAULT_LIMITS, encoding: str | None = None) -> Pack:
    """Return the pack in an SSX file, as XmlReader.read says."""
    return _SsxReader.read(data, source, limits, encoding)


class _SsxReader(XmlReader):
    root = "SokobanLibrary"
    level_element = "Map"
    row_element = "Row"
    format_words = N_("an SSX file")

    def __init__(self, limits: ReadLimits, source: str) -> None:
        super().__init__(limits, source)
        self._category = ""
        self._categories: dict[str, str] = {}
        self._puzzle: XmlDraft | None = None
        self._is_mapped = False
        # The texts of the last description, and the steps of the open solution.
        self._described = XmlDraft()
        self._steps = ""

    def opened(self, name: str, attributes: dict[str, str], place: Place) -> None:
        if name == "category":
            self._category = attributes.get("categoryid", "")
        elif name == "puzzle":
            self._puzzle, self._is_mapped = XmlDraft(), False
            self._category = attributes.pop("categoryref", "")
        elif name == "map":
            self._open_map(place)
        elif name == "solution":
            self._described, self._steps = XmlDraft(), ""
        elif name in _DESCRIPTIONS:
            self._described = XmlDraft()
        owner = self._described if name in _DESCRIPTIONS or self.parent in _DESCRIPTIONS else self.owner
        if name == "author":
            owner.add_text(name, attributes.pop("name", "").strip(), name)
        for key, value in attributes.items():
            if key not in _PLUMBING:
                owner.add(key, value)

    def closed(self, name: str, text: str, place: Place) -> None:
        if self.parent in _DESCRIPTIONS:
            self._close_text(name, text)
        elif name == "details":
            self.author = self._described.texts.pop("author", "")
            self._describe()
        elif name == "categorydescription":
            self._categories[self._category] = self._described.texts.get("title", "")[:_LONGEST_CATEGORY]
        elif name in ("puzzledescription", "mapdetails"):
            self._describe()
        elif name == "steps":
            self._steps = "".join(text.split())
        elif name == "solution":
            self._close_solution()
        elif name == "map":
            self.end_level(place)
        elif name == "puzzle":
            self._close_puzzle(place)
        elif name != "solutiondescription":
            self.owner.add(name, text)

    def cells(self, draft: XmlDraft) -> list[str]:
        rows = [row[0].rstrip(BLANKS) for row in draft.rows]
        for row, written in zip(rows, draft.rows):
            if row.strip("".join(_CELLS)):
                found = next(each for each in row if each not in _CELLS)
                problem = _("found {found!r}, expected one of ~ # . X O $ P * or a space", found=found)
                raise LevelError(problem, line=written[1], character=found)
        return [row.translate(_TO_XSB).rstrip(BLANKS) for row in rows]

    @property
    def owner(self) -> XmlDraft:
        owner = super().owner
        return self._puzzle if owner is self.collection and self._puzzle is not None else owner

    def _open_map(self, place: Place) -> None:
        """Start a level with the texts of its puzzle, unless an earlier one has them."""
        level = self.start_level(place)
        if self._puzzle is not None:
            level.texts, level.metadata = self._puzzle.texts, self._puzzle.metadata
            self._puzzle = XmlDraft()
        if len(self._categories) > 1:
            level.add("category", self._categories.get(self._category, ""))
        self._is_mapped = True

    def _close_puzzle(self, place: Place) -> None:
        puzzle, self._puzzle = self._puzzle, None
        if puzzle is not None and not self._is_mapped:
            self.check_number(place)
            error = placed(_("found a puzzle without a map, expected a <Map>"), place)
            self.add_error(error.titled(puzzle.texts.get("title", "")))

    def _close_text(self, name: str, text: str) -> None:
        """Keep a text of a description."""
        if name == "name":
            self._described.add_text("title", on_one_line(text), name)
        elif name in ("description", "comments"):
            self._described.add_text(name, paragraphs(text), name)
        else:
            self._described.add(name, text)

    def _describe(self) -> None:
        """Give the texts of a description to what it describes."""
        owner, texts = self.owner, self._described.texts
        for field in ("title", "author"):
            owner.add_text(field, texts.get(field, ""), field)
        owner.add_text("comment", _comment(texts), "description")
        owner.metadata += self._described.metadata

    def _close_solution(self) -> None:
        """Keep the solution of a map; steps that are no moves, such as ``TODO``, stay a text."""
        moves, texts = self._steps, self._described.texts
        if not moves or moves.strip(_STEPS):
            self.owner.add("solution", moves)
            return
        name = texts.get("title", "")
        title = name if name.lower().startswith("solution") else f"Solution ({name})" if name else "Solution"
        pairs = [("author", texts.get("author", "")), *self._described.metadata]
        notes = [_comment(texts), *(f"{key.capitalize()}: {value}" for key, value in pairs if value)]
        self.owner.records.append(Record(title, moves, "\n".join(filter(None, notes))))


def _comment(texts: dict[str, str]) -> str:
    return "\n".join(filter(None, map(texts.get, ("description", "comments"))))
