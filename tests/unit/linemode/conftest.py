"""What all tests of the line mode need."""

from tests.unit.tui.conftest import room_for_searches as room_for_searches
