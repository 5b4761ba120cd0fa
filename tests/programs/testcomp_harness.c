// entry: main
// harness: yes
// input: unsigned char nondet_uchar: all
// outcomes: returned assertion
// about: Test-Comp's interface: values without names, in order
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar();
    unsigned char b = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(a < 20);
    if (a + b == 37)
        if (b > 30)
            reach_error();
    return 0;
}
