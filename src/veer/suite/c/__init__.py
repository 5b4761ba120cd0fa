"""Tests in C: the plain suite, and those of the test frameworks."""
