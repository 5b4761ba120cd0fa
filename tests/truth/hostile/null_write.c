// entry: nullify
// outcomes: null-dereference
int nullify(unsigned char x) {
    int *p = x == 9 ? (int *)0 : (int *)&(int){4};
    *p = 3;
    if (x > 50)
        return 1;
    return 0;
}
