"""Runs one campaign with the veer that PYTHONPATH names and pickles its Result: python capacity_child.py SOURCE OUT."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

import brute_header
from veer_side import explore_all

if __name__ == "__main__":
    source, out = map(Path, sys.argv[1:])
    out.write_bytes(pickle.dumps(explore_all(brute_header.read(source), restarts=3)))
