"""The pictures of the tour: what the script writes, on any machine, and what a code host shows."""

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

from tests.tour.__main__ import FOLDER


def test_the_pictures_kept_are_what_the_script_writes(tmp_path: Path) -> None:
    elsewhere = {**os.environ, "TZ": "Pacific/Auckland", "LANG": "de_DE.UTF-8", "PYTHONHASHSEED": "7"}
    subprocess.run([sys.executable, "-m", "tests.tour", tmp_path], check=True, env=elsewhere, cwd=FOLDER.parents[1])
    written, kept = ({file.name: file.read_bytes() for file in folder.glob("*.svg")} for folder in (tmp_path, FOLDER))
    differing = sorted(name for name in written.keys() | kept.keys() if written.get(name) != kept.get(name))
    assert differing == [], "look at what python3 -m tests.tour writes"


def test_pictures_have_no_scripts_and_no_links_and_are_small() -> None:
    for file in FOLDER.glob("*.svg"):
        text = file.read_text("utf-8")
        names = {element.tag.rpartition("}")[2] for element in ET.fromstring(text).iter()}
        assert names <= {"svg", "title", "style", "g", "rect", "path", "circle", "text", "animate"}
        assert not re.search(r"href|url\(|@import| on[a-z]+=", text)
        times = [float(time) for time in re.findall(r'keyTimes="0;(\.\d+)"', text)]
        assert times == sorted({*times})
        assert len(text) < (600_000 if times else 30_000)
