"""Tree of the folders of a library, some of them folded."""

from collections.abc import Collection, Iterator, Sequence

from sokoterm.engine.value import Value
from sokoterm.store.packs import PackFile


class Folder(Value):
    """A folder of packs in a list: its path in the library, and the packs in it and below it."""

    path: str
    files: tuple[PackFile, ...]
    is_folded: bool

    @property
    def name(self) -> str:
        """Its own name."""
        return parts_of(self.path)[-1]

    @property
    def depth(self) -> int:
        """The number of folders around it."""
        return len(folders_of(self.path))


def parts_of(name: str) -> list[str]:
    """Return the folders in the name of a pack, and its own name."""
    return name.replace("\\", "/").split("/")


def folders_of(name: str) -> list[str]:
    """Return the paths of the folders around a pack or folder, the outermost first."""
    parts = parts_of(name)
    return ["/".join(parts[:end]) for end in range(1, len(parts))]


def tree_of(files: Sequence[PackFile], folded: Collection[str]) -> list[PackFile | Folder]:
    """Return packs with their folders before them, without those in folded ones."""
    return list(_rows(files, 0, folded))


def _rows(files: Sequence[PackFile], depth: int, folded: Collection[str]) -> Iterator[PackFile | Folder]:
    inside: dict[str, list[PackFile]] = {}
    order: list[PackFile | str] = []
    for file in files:
        around = folders_of(file.name)
        if len(around) <= depth:
            order.append(file)
            continue
        path = around[depth]
        if path not in inside:
            inside[path] = []
            order.append(path)
        inside[path].append(file)
    for row in order:
        if isinstance(row, PackFile):
            yield row
            continue
        is_folded = row in folded
        yield Folder(row, tuple(inside[row]), is_folded)
        if not is_folded:
            yield from _rows(inside[row], depth + 1, folded)
