"""What the build makes from the sources: files of the wheel, the page of the package, and the site of the documents."""

import re
import sys
import tomllib
from pathlib import Path
from posixpath import join, normpath
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

_ROOT = Path(__file__).parent
# A link or picture with a relative address: the mark of a picture, the text, the path.
_LINK = re.compile(r"(!?)(\[[^\]]*\]\()(?!https?:|#)([^)]+)")


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


class WebReadme(MetadataHookInterface):
    """Describes the package with README.md, whose links lead to the files of that version in the repository."""

    def update(self, metadata: dict) -> None:  # type: ignore[type-arg]
        """Add the readme to the ``[project]`` table."""
        text = _with_web_links(_readme(), "", f"v{metadata['version']}")
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def on_files(files: "Files", config: "MkDocsConfig") -> None:
    """Make README.md the first page of the site; a hook of MkDocs."""
    from mkdocs.structure.files import File  # a build of the wheel has no MkDocs

    text = _with_web_links(_readme(), "", "HEAD", on_site="docs/").replace("](docs/", "](")
    files.append(File.generated(config, "index.md", content=text))


def on_page_markdown(markdown: str, page: "Page", **_: object) -> str:
    """Let links from a page to other folders lead to the repository; a hook of MkDocs."""
    return _with_web_links(markdown, f"docs/{page.file.src_uri}/..", "HEAD", on_site="docs/")


def _readme() -> str:
    return (_ROOT / "README.md").read_text("utf-8")


def _with_web_links(markdown: str, folder: str, version: str, on_site: str | tuple[()] = ()) -> str:
    """Return a page of ``folder`` whose relative links lead to the repository, except those to ``on_site``."""
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text("utf-8"))["project"]

    def with_address(link: re.Match[str]) -> str:
        path = normpath(join(folder, link[3]))
        if path.startswith(on_site):
            return link[0]
        return f"{link[1]}{link[2]}{project['urls']['Source']}/{'raw' if link[1] else 'blob'}/{version}/{path}"

    return _LINK.sub(with_address, markdown)
