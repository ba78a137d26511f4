"""What all tests of the words need."""

from tests.unit.tui.conftest import room_for_searches as room_for_searches
