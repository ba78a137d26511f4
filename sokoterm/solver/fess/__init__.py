"""FESS, feature space search: guided by features of positions, for levels too deep for distances to guide.

After Y. Shoham and J. Schaeffer, "The FESS Algorithm: A Feature Based Approach to Single-Agent Search" (IEEE Conference
on Games 2020), and Festival, the solver it became.  Read the modules in this order:

- ``common.board_tables``: facts about a board; ``macro``: macro moves, and single pushes made of them again; ``tree``:
  the search itself, independent of Sokoban;
- ``packing``: backward search for a packing plan; ``plan`` and ``step_order``: progress of a position in the plan;
- ``features``: the features of a position;
- ``positions`` with ``box_path``: everything independent of the plan, shared by all searches of a level;
- ``advisors`` with ``assignment``: the moves to try first;
- ``forward``: the search for a solution; ``dead_end_check``: proofs that its best position is dead after all;
- ``clearing`` and ``backward_search``: the search from the goals to the start, which forward searches may meet;
- ``variants``: the settings of the searches and their turns; ``search``: all of them in turns.
"""
