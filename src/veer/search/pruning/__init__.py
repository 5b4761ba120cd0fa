"""Pruning (OSMOSE): rules that say of open branches that nobody needs to go there."""
