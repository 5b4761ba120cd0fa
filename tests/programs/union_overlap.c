// entry: overlap
// input: union parts *u: -> .bytes.a=0 9; .bytes.b=0 5; .bytes.gap[0]=0; .bytes.gap[1]=0; .bytes.gap[2]=0 3
// about: a member with a gap, in which another one has bytes; the first struct stands for both
union parts {
    struct { unsigned char a, gap[3]; unsigned b; } bytes;
    struct { unsigned char a, first, second, third; } letters;
};
int overlap(union parts *u) {
    if (!u)
        return -1;
    if (u->letters.third == 3)
        return u->bytes.b == 5 ? 2 : 1;
    return u->letters.a == 9;
}
