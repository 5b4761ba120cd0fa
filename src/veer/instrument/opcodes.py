"""Groups of LLVM's opcodes."""

BINARY = frozenset(
    (
        *("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "udiv", "sdiv", "urem", "srem"),
        *("fadd", "fsub", "fmul", "fdiv", "frem"),
    )
)
DIVISIONS = frozenset(("udiv", "sdiv", "urem", "srem"))
CASTS = frozenset(
    (
        *("zext", "sext", "trunc", "ptrtoint", "inttoptr", "bitcast", "addrspacecast", "ptrtoaddr"),
        *("fptosi", "fptoui", "sitofp", "uitofp", "fpext", "fptrunc"),
    )
)
WIDE = frozenset(
    (
        *("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "udiv", "sdiv", "urem", "srem"),
        *("icmp", "zext", "sext", "trunc"),
    )
)
"""Operations that are symbolic on integers of 65 to 128 bits, too."""
TERMINATORS = frozenset(
    ("br", "switch", "indirectbr", "ret", "unreachable", "resume", "invoke", "callbr", "cleanupret")
)
