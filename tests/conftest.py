"""For all tests: Python looks for garbage less often."""

import gc

gc.set_threshold(50_000, 20, 50)  # a worker holds some hundred thousand objects to its end: 3 % of all time went there
