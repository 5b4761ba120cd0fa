"""One search in several processes (LCT section 4.5): parts of the tree, workers, and what they found put together."""
