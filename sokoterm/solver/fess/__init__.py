"""FESS: search led by features of positions, for levels that are too deep for distances to lead.

After Y. Shoham and J. Schaeffer, "The FESS Algorithm: A Feature Based Approach to Single-Agent Search" (IEEE Conference
on Games 2020), and Festival, the solver it became.  To be read in this order:

- ``common.board_tables``: facts of a board; ``macro``: macro moves; ``tree``: the search itself, which knows nothing of
  Sokoban;
- ``packing``: a search backwards for a packing plan; ``plan`` and ``step_order``: how far a position has come by it;
- ``features`` with ``rooms``: the figures that positions are judged by;
- ``positions`` with ``doors`` and ``way``: what no plan changes, kept for all searches of a level;
- ``advisors`` with ``ways`` and ``assignment``: the moves worth making first;
- ``forward``: the search for a solution; ``dead_end_check``: proofs that its best position is dead all the same;
- ``clearing`` and ``backward_search``: the search from the goals to the start, which searches forward may meet;
- ``line``: macro moves back to single pushes; ``variants``: how the searches differ, and whose turn it is; ``aim``:
  the goals, or a board met backwards; ``search``: all of them in turns.
"""
