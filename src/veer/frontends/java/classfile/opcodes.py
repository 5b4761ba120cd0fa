"""The instructions of the Java virtual machine (JVMS 6.5): names by opcode, and what stands behind each.

Kinds of operands: "" none; b, s: a signed byte, a signed short; c, C: a constant by one byte, by two; v: a local
variable; i: a local variable and a signed byte; j, J: a jump's distance of two and of four bytes; T, L: the tables of
the two switches; n: invokeinterface; d: invokedynamic; a: an array's element type; m: multianewarray; w: wide.
"""

from __future__ import annotations

_TEXT = """
nop aconst_null iconst_m1 iconst_0 iconst_1 iconst_2 iconst_3 iconst_4 iconst_5 lconst_0 lconst_1 fconst_0 fconst_1
fconst_2 dconst_0 dconst_1 bipush:b sipush:s ldc:c ldc_w:C ldc2_w:C iload:v lload:v fload:v dload:v aload:v
iload_0 iload_1 iload_2 iload_3 lload_0 lload_1 lload_2 lload_3 fload_0 fload_1 fload_2 fload_3
dload_0 dload_1 dload_2 dload_3 aload_0 aload_1 aload_2 aload_3
iaload laload faload daload aaload baload caload saload istore:v lstore:v fstore:v dstore:v astore:v
istore_0 istore_1 istore_2 istore_3 lstore_0 lstore_1 lstore_2 lstore_3 fstore_0 fstore_1 fstore_2 fstore_3
dstore_0 dstore_1 dstore_2 dstore_3 astore_0 astore_1 astore_2 astore_3
iastore lastore fastore dastore aastore bastore castore sastore
pop pop2 dup dup_x1 dup_x2 dup2 dup2_x1 dup2_x2 swap
iadd ladd fadd dadd isub lsub fsub dsub imul lmul fmul dmul idiv ldiv fdiv ddiv irem lrem frem drem
ineg lneg fneg dneg ishl lshl ishr lshr iushr lushr iand land ior lor ixor lxor iinc:i
i2l i2f i2d l2i l2f l2d f2i f2l f2d d2i d2l d2f i2b i2c i2s lcmp fcmpl fcmpg dcmpl dcmpg
ifeq:j ifne:j iflt:j ifge:j ifgt:j ifle:j if_icmpeq:j if_icmpne:j if_icmplt:j if_icmpge:j if_icmpgt:j if_icmple:j
if_acmpeq:j if_acmpne:j goto:j jsr:j ret:v tableswitch:T lookupswitch:L
ireturn lreturn freturn dreturn areturn return getstatic:C putstatic:C getfield:C putfield:C
invokevirtual:C invokespecial:C invokestatic:C invokeinterface:n invokedynamic:d
new:C newarray:a anewarray:C arraylength athrow checkcast:C instanceof:C monitorenter monitorexit
wide:w multianewarray:m ifnull:j ifnonnull:j goto_w:J jsr_w:J
"""
OPCODES: tuple[tuple[str, str], ...] = tuple(
    (name, kind) for name, _, kind in (w.partition(":") for w in _TEXT.split())
)
"""(name, kind of operands) by opcode."""
NUMBERS = {name: number for number, (name, _) in enumerate(OPCODES)}
ELEMENT_TYPES = {4: "Z", 5: "C", 6: "F", 7: "D", 8: "B", 9: "S", 10: "I", 11: "J"}
"""What `newarray` makes arrays of, by its operand."""
LEAVING = frozenset(
    ("ireturn", "lreturn", "freturn", "dreturn", "areturn", "return", "athrow", "goto", "goto_w", "tableswitch")
) | {"lookupswitch", "ret"}
"""Instructions behind which execution does not go on."""
