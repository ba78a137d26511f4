"""FESS, feature space search: guided by features of positions, for levels too deep for distances to guide.

After Y. Shoham and J. Schaeffer, "The FESS Algorithm: A Feature Based Approach to Single-Agent Search" (IEEE Conference
on Games 2020), and Festival, the solver it became.  Read the modules in this order:

- ``common.board_tables``: facts about a board; ``macro``: macro moves; ``tree``: the search itself, independent of
  Sokoban;
- ``packing``: backward search for a packing plan; ``plan`` and ``step_order``: progress of a position in the plan;
- ``features`` with ``rooms``: the features of a position;
- ``positions`` with ``doors`` and ``way``: everything independent of the plan, shared by all searches of a level;
- ``advisors`` with ``ways`` and ``assignment``: the moves to try first;
- ``forward``: the search for a solution; ``dead_end_check``: proofs that its best position is dead after all;
- ``clearing`` and ``backward_search``: the search from the goals to the start, which forward searches may meet;
- ``line``: macro moves turned back into single pushes; ``variants``: the settings of the searches and their turns;
  ``aim``: the target of a search, the goals or a board met backwards; ``search``: all of them in turns.
"""
