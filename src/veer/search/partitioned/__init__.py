"""FlowTest: blocks of inputs that do not interfere, found by dynamic information flow (Majumdar, Xu 2009)."""
