"""Fixture ``face``: every feature is played on each face."""

from pathlib import Path

import pytest

from tests.features.faces import FACES, Face
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


@pytest.fixture(params=FACES, ids=lambda face: face.__name__)
def face(request: pytest.FixtureRequest, tmp_path: Path) -> Face:
    made = request.param(tmp_path, PACK)
    assert isinstance(made, Face)
    return made
