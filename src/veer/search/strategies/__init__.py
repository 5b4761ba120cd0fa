"""Strategies: rankings of open branches, each a function from the tree's arrays to ids."""
