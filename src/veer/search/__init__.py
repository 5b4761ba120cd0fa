"""Searches of the execution tree: plain, by blocks of inputs, by summaries of functions, in several processes."""
