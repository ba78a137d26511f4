"""Part of the build of the wheel: compiled catalogs, and manual page and completions from the parsers of all verbs."""

import sys
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class MadeFiles(BuildHookInterface):  # type: ignore[type-arg]
    """Adds to a wheel what is made from the sources: the files of share/ and the compiled catalogs."""

    def initialize(self, _version: str, build_data: dict[str, dict[str, str]]) -> None:
        """Write the files; an editable install gets them too."""
        sys.path.insert(0, self.root)
        from sokoterm.commands.completion import bash, fish, manual_page, verbs, zsh
        from sokoterm.store.languages import compiled_catalogs

        self._folder = Path(mkdtemp())
        known = [*verbs()]
        for name, text in (
            ("man/man1/sokoterm.1", manual_page(known)),
            ("bash-completion/completions/sokoterm", bash(known)),
            ("zsh/site-functions/_sokoterm", zsh(known)),
            ("fish/vendor_completions.d/sokoterm.fish", fish(known)),
        ):
            file = self._folder / name.replace("/", "-")
            file.write_text(text, "utf-8")
            build_data["shared_data"][str(file)] = f"share/{name}"
        for name, data in compiled_catalogs():
            compiled = self._folder / name
            compiled.write_bytes(data)
            build_data["force_include"][str(compiled)] = f"sokoterm/language/{name}"

    def finalize(self, *_: object) -> None:
        """Remove them again."""
        rmtree(self._folder, ignore_errors=True)
