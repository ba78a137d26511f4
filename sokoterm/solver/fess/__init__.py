"""FESS: search led by features of positions, for levels that are too deep for distances to lead.

After Y. Shoham and J. Schaeffer, "The FESS Algorithm: A Feature Based Approach to Single-Agent Search" (IEEE Conference
on Games 2020), and Festival, which it became.  To be read in this order: ``ground`` (facts of a board), ``macro`` (the
moves), ``tree`` (the search itself, which knows nothing of Sokoban), ``packing`` (a search backwards for a plan),
``plan`` with ``order`` (what the plan says of a position), ``features`` with ``rooms`` and ``hotspots`` (what positions
are judged by), ``battery`` and ``corral`` (what is dead, what can wait), ``positions`` with ``doors`` and ``way`` (what
is no matter of a plan, kept for all searches), ``advisors`` with ``ways`` and ``assignment`` (which moves are worth
most), ``forward`` (the search for a solution), ``doubt`` (whether what stands best is dead all the same), ``clearing``
and ``homeward`` (the search from the goals back to the start, which those forward may meet), ``line`` (from what was
found to single pushes), ``variants`` (how the searches differ, and whose turn it is), ``aim`` (what they go for: the
goals, or a board met backwards) and ``search`` (all of them in turns).
"""
