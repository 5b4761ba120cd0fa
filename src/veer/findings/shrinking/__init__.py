"""Smaller inputs that show the same (docs/decisions/0370): Hypothesis's shrinker over the values of veer's inputs.

    suspect ─► its run as choices ─► passes: delete, lower, ... ─► runs in the executor ─► the smallest that shows it

`choices.py` what a choice is and which values are plainer; `drawing.py` runs by choices; `shrinker.py` the loop and its
budget; `deleting.py`, `lowering.py`, `together.py` its passes; `bugs.py` which inputs are shrunk, and what must stay.
"""
