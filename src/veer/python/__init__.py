"""The Python faces: `veer.test` and the pytest plug-in."""
