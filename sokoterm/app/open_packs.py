"""The packs that the browser has read: a few are kept, and all are learned while no key is pressed."""

from collections.abc import Callable, Sequence

from sokoterm.app.catalog import Catalog
from sokoterm.app.pack_session import PackSession
from sokoterm.store.packs import PackError, PackFile

_MOST_OPEN = 8  # packs that are kept in memory once they have been read


class OpenPacks:
    """Courses by the key of their pack."""

    def __init__(self, open_course: Callable[[PackFile], PackSession], catalog: Catalog) -> None:
        """``open_course`` reads a pack; it raises PackError where that is not possible."""
        self._open_course = open_course
        self._catalog = catalog
        self._to_learn: list[tuple[PackFile, PackSession]] = []
        self._courses: dict[str, PackSession] = {}

    def get(self, file: PackFile) -> PackSession | None:
        """The course of a pack that has been read."""
        return self._courses.get(file.key)

    def open(self, file: PackFile) -> PackSession | None:
        """The course of a pack, which is read if need be; None where it cannot be, and the library knows why."""
        course = self.get(file)
        if course is None or course.is_over:
            try:
                course = self._open_course(file)
            except PackError as error:
                self._catalog.note_problem(file, str(error))
                return None
            self._catalog.forget_problem(file)
            self.hold(file, course)
        return course

    def hold(self, file: PackFile, course: PackSession) -> None:
        """Keep a course for when it is chosen again, and only as many as there are few; learn it if it is not known."""
        self._courses.pop(course.key, None)
        self._courses[course.key] = course
        if len(self._courses) > _MOST_OPEN:
            del self._courses[next(iter(self._courses))]
        if file.is_made:
            return  # its levels are in no index
        self._to_learn.append((file, course))

    def waits(self, file: PackFile) -> bool:
        """Whether a pack is to be read for its picture."""
        library = self._catalog
        return self.get(file) is None and not library.problem(file) and library.is_small(file)

    def has_work(self, shown: Sequence[PackFile]) -> bool:
        """Whether a pack that has been read, or one that is shown, is to be learned."""
        return bool(self._to_learn) or not self._catalog.is_open or self._catalog.has_work(shown)

    def learn(self, shown: Sequence[PackFile]) -> None:
        """Learn for a moment: what has been read first, then what is shown."""
        for file, course in self._to_learn:
            self._catalog.begin(file, course.pack, course.stamp)
        self._to_learn.clear()
        self._catalog.work(shown)
