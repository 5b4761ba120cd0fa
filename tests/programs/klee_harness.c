// entry: main
// paths: 4
// harness: yes
// input: unsigned char x: all
// input: char word[2]: [0]='a' 'b' 'z'; [1]='a' 'b' 'z'
// outcomes: returned assertion
// about: KLEE's interface: named objects, an assumption
#include <assert.h>
#include <klee/klee.h>
int main(void) {
    unsigned char x;
    char word[2];
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(word, sizeof word, "word");
    klee_assume(x > 3);
    if (word[0] == 'a' && word[1] == 'b')
        assert(x != 200);
    return x > 100;
}
