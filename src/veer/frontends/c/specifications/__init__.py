"""Specifications of units in C: where they stand, what their events are given, the monitors as a unit."""
