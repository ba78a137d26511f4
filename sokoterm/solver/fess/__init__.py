"""FESS, feature space search: guided by features of positions, for levels too deep for distances to guide.

After Y. Shoham and J. Schaeffer, "The FESS Algorithm: A Feature Based Approach to Single-Agent Search" (IEEE Conference
on Games 2020), and Festival, the solver it became.  Read the modules in this order:

- ``common.board_tables``: facts about a board; ``macro``: macro moves, and single pushes made of them again; ``tree``:
  the search itself, independent of Sokoban;
- ``plan``: the search for a packing plan, and progress of a position in it;
- ``positions``: everything independent of the plan, shared by all searches of a level; ``colored``: the same with
  colours;
- ``features``: the features of a position, and the advisors that propose moves by them;
- ``backward_search``: the search from the goals to the start, which forward searches may meet;
- ``search``: the search for a solution, its variants, and all of them in turns; ``dead_end_check``: proofs that its
  best position is dead after all.
"""
