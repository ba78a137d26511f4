"""FESS, feature space search: guided by features of positions, for levels too deep for distances to guide.

After Y. Shoham and J. Schaeffer, "The FESS Algorithm: A Feature Based Approach to Single-Agent Search" (IEEE Conference
on Games 2020), and Festival, the solver built on it.  Suggested reading order:

- ``common.board_tables``: facts about a board; ``macro``: macro moves, and the single pushes they consist of; ``tree``:
  the search itself, independent of Sokoban;
- ``plan``: the search for a packing plan, and progress in it;
- ``positions``: what all searches of a level share, independent of the plan; ``colored``: the same with colours;
- ``features``: features of a position, and the advisors that propose moves by them;
- ``backward_search``: the search from the goals to the start, which forward searches may meet;
- ``search``: the forward search, its variants, and their turns; ``dead_end_check``: proofs that its best position is
  dead after all.
"""
