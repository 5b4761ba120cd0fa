// entry: push_two
// input: unsigned char a: all
// input: unsigned char b: 0 1 2 9 10
// about: symbolic data through globals
static unsigned char stack[4];
static int top;
static void push(unsigned char v) { stack[top++] = v; }
int push_two(unsigned char a, unsigned char b) {
    push(a);
    push(b);
    if (stack[0] == 3 && top == 2)
        return 1;
    return stack[1] > 9 ? 2 : 0;
}
