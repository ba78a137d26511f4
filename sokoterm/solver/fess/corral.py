"""PI-corrals of the positions of a search."""

from sokoterm.engine import corral
from sokoterm.engine.bits import Bitboard
from sokoterm.solver.fess.ground import Ground


def find_pi_corral(ground: Ground, boxes: Bitboard, region: Bitboard, frozen: Bitboard) -> Bitboard | None:
    """The boxes of the PI-corral with the fewest of them, None where there is no PI-corral."""
    return corral.find_pi_corral(ground.board, ground.live, boxes, region, frozen)
