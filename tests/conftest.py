"""For all tests: Python looks for garbage less often, and zig makes its libraries once for all of veer's caches."""

import gc
import os

from veer.toolchain.compiler import find, zig_cache

gc.set_threshold(50_000, 20, 50)  # a worker holds some hundred thousand objects to its end: 3 % of all time went there
os.environ.setdefault("ZIG_GLOBAL_CACHE_DIR", str(zig_cache(find())))
