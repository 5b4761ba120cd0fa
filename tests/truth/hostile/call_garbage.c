// entry: jump
// outcomes: wild-pointer|null-dereference|illegal-instruction
// about: a call through a pointer to no function
int jump(unsigned char x) {
    int (*f)(void) = (int (*)(void))(unsigned long)(x == 5 ? 0x4141414141ul : 0);
    if (x == 5)
        return f();
    if (x > 100)
        return 1;
    return 0;
}
