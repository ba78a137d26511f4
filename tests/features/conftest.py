"""Fixture ``face``: every feature is played on each face; most of them in a pty only by ``pytest -m slow``."""

from pathlib import Path

import pytest

from tests.features.faces import Face, FakeScreen, Lines, PtyScreen
from tests.slow import slow
from tests.unit.tui.conftest import room_for_searches as room_for_searches

PACK = """\
########
#@ $  .#
#      #
########
Title: One box

########
#@$ .  #
#  $ . #
#      #
########
Title: Two boxes

######
#@ $.#
######
Title: Last
"""


@pytest.fixture(params=[FakeScreen, Lines, slow(PtyScreen)], ids=lambda face: face.__name__)
def face(request: pytest.FixtureRequest, tmp_path: Path) -> Face:
    made = request.param(tmp_path, PACK)
    assert isinstance(made, Face)
    return made
