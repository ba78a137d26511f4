"""``python3 -m sokoterm.bundle OUT.pyz``: sokoterm, levels and documents in one executable file for a bare Python 3.11.

The same tree and Python give the same bytes: names are sorted, dates fixed, and nothing is compressed, so that the
Python that runs it needs no zlib.
"""

import io
import marshal
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from importlib.util import MAGIC_NUMBER, source_hash

from sokoterm.commands.support.output import InputError
from sokoterm.commands.support.results import write_file
from sokoterm.engine.text import printable
from sokoterm.store.languages import compiled_catalogs

_SHEBANG = b"#!/usr/bin/env python3\n"
# The earliest date that a zip file can hold.
_DATE = (1980, 1, 1, 0, 0, 0)
_MODE = 0o644 << 16
# Folders of data and the suffix of their files: inside an installed package, beside it in a checkout.
_DATA = {"levels": ".txt", "docs": ".md"}
# Bytecode in the archive always fits its source (PEP 552).
_UNCHECKED_HASH = 1
_USAGE = """\
usage: python3 -m sokoterm.bundle OUT.pyz

Writes sokoterm, its levels and its documents into one executable file that needs nothing but Python 3.11 or newer.

example: python3 -m sokoterm.bundle sokoterm.pyz && scp sokoterm.pyz server: && ssh -t server ./sokoterm.pyz"""


def main(arguments: list[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments in (["-h"], ["--help"]):
        print(_USAGE)
        return 0
    if len(arguments) != 1 or arguments[0].startswith("-"):
        return _failed("expected one argument, the file to write: python3 -m sokoterm.bundle OUT.pyz")
    package = os.path.dirname(os.path.abspath(__file__))
    if not os.path.isdir(package):
        return _failed("cannot be run from inside an archive")
    try:
        write_file(arguments[0], bundle(package), 0o755)
    except InputError as error:
        return _failed(str(error))
    except OSError as error:
        return _failed(f"{error.filename}: {error.strerror}")
    return 0


def bundle(package: str) -> bytes:
    """Return the single file of the package in the folder ``package``, with its levels, documents and languages."""
    files = {f"sokoterm/language/{name}": data for name, data in compiled_catalogs()}
    for name, path in _contents(package):
        with open(path, "rb") as file:
            files[name] = file.read()
        if name.endswith(".py"):
            files[name + "c"] = _compiled(path, name)
    archive = io.BytesIO()
    archive.write(_SHEBANG)
    with zipfile.ZipFile(archive, "a", zipfile.ZIP_STORED) as pack:
        for name in sorted(files):
            pack.writestr(_entry(name), files[name])
    return archive.getvalue()


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _DATE)
    entry.create_system = 3  # Unix, wherever this runs
    entry.external_attr = _MODE
    return entry


def _compiled(path: str, name: str) -> bytes:
    """Compile a module: halves the start-up time of the same Python; other versions read the source."""
    with open(path, "rb") as file:
        source = file.read()
    # Format 2 has no references: which ones later formats make depends on what else is in memory.
    code = marshal.dumps(compile(source, name, "exec", dont_inherit=True), 2)
    return MAGIC_NUMBER + _UNCHECKED_HASH.to_bytes(4, "little") + source_hash(source) + code


def _contents(package: str) -> Iterator[tuple[str, str]]:
    yield "__main__.py", os.path.join(package, "__main__.py")
    for folder, folders, files in os.walk(package):
        folders[:] = [name for name in folders if name not in ("__pycache__", *_DATA)]
        place = os.path.relpath(folder, os.path.dirname(package)).replace(os.sep, "/")
        for file in files:
            if file.endswith((".py", ".toml", ".txt")) or file == "py.typed":
                yield f"{place}/{file}", os.path.join(folder, file)
    for name, suffix in _DATA.items():
        data = _data_folder(package, name)
        for file in os.listdir(data):
            if file.endswith(suffix):
                yield f"sokoterm/{name}/{file}", os.path.join(data, file)


def _data_folder(package: str, name: str) -> str:
    inside = os.path.join(package, name)
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(package), name)


def _failed(problem: str) -> int:
    print(f"sokoterm.bundle: {printable(problem)}", file=sys.stderr)
    return 2


def _with_fixed_hashes() -> int:
    """Run the command again with fixed hashes: the order of sets changes the bytes of compiled modules."""
    command = [sys.executable, "-m", "sokoterm.bundle", *sys.argv[1:]]
    return subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": "0"}, check=False).returncode


if __name__ == "__main__":
    sys.exit(_with_fixed_hashes() if sys.flags.hash_randomization else main())
