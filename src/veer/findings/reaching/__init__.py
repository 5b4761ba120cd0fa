"""Whether calls of the unit's own functions bring a bug about whose input is an object that these functions make.

making.py       a unit's functions and structs → how the objects of each struct come to be
plan.py         structs of bugs' inputs → the calls that may bring them about, as a sequence that ends with the entry
candidates.py   which bugs are in question, and which of them are none where no calls were found
verdict.py      the bugs of a campaign, and what a campaign over such sequences found → the bugs that are told

The campaign over sequences is made by campaign/reach.py (docs/severity.md, decision 0397).
"""
