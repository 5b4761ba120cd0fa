"""Machine code as it is written: values, and tests as JSON."""
