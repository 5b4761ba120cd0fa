// entry: forever
// option: uninstrumented=spin
// outcomes: cut|killed
// about: the loop is in code that counts no steps: only the wall clock ends it
void spin(void) {
    for (volatile int i = 0;; i++)
        ;
}
int forever(unsigned char x) {
    if (x == 5)
        spin();
    if (x > 100)
        return 1;
    return 0;
}
