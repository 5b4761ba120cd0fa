"""What a reader can check of an error: calls that bring it about, a test of the code's own, or the call as it is.

doubts.py       values of a bug's input for which nothing speaks: no caller need be able to give them
verdict.py      the bugs of a campaign → each error with its evidence, or a contract where there is none

It comes behind the search for calls (findings/reaching): docs/severity.md, decision 0442.
"""
