"""What holds of a function's arguments: contracts that are written, that a user adds, and that the code shows.

    clauses.py         the clauses of a contract: p is not NULL, pct is 0..100, buf has n elements
    terms.py           how a user writes them: `nonnull(p) range(pct, 0..100) length(buf, n)`
    comments.py        where: comments at the function (veer.toml and --nonnull: campaign/contracts.py)
    printed.py         the compiler's own print of its syntax tree, and what is declared in it
    attributes.py      attributes, array parameters, and SAL's annotations (sal.h) → clauses
    functionbody.py    a function's body in LLVM IR
    code.py, heads.py  lengths by use, tests for NULL; assertions at the head of a function
    names.py           lengths by C's customs
    origins.py         where the values of a function come from: fields, parameters, results
    pointers.py        what the whole unit tests for NULL, looks at as a text, links how
    storedranges.py    the numbers that it stores in each field
    unit.py            both → `UnitFacts`, for the severity of bugs
    combine.py         all of them → one contract, or the sentence that says why they contradict each other

`reading.py` asks them all, for one function of a module.
"""
