// entry: interpret
// input: struct code c: .v[0]=0..3; .v[1]=0..3; .v[2]=0..3
// about: an interpreter whose dispatch is a computed goto through a table
struct code { unsigned char v[3]; };
int interpret(struct code c) {
    static const void *const labels[] = {&&add, &&twice, &&negate, &&stop};
    int accumulator = 1, at = 0;
next:
    if (at == 3)
        return accumulator;
    goto *labels[c.v[at++] & 3];
add:
    accumulator += 3;
    goto next;
twice:
    accumulator *= 2;
    goto next;
negate:
    accumulator = -accumulator;
    goto next;
stop:
    return accumulator > 7 ? 100 : accumulator;
}
