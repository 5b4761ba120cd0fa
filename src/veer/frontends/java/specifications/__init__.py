"""Specifications of units in Java: the methods that are watched, the monitors as a class, what is put into the code."""
