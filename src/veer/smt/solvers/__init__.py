"""The solvers that veer brings: for each a translation of veer's terms, and sessions (veer.smt.term_solver)."""
