// entry: entry
// input: struct task *t: -> .run=stub int 0..3; .next=-> self
// option: graph_depth=4
// graphs: 3
// outcomes: returned null-dereference
// about: a struct with a pointer to a function: NULL, or a function that returns anything
struct task { int (*run)(int); struct task *next; };
int entry(struct task *t) {
    int done = 0;
    for (int k = 0; k < 2 && t; k++, t = t->next)
        if (t->run && t->run(k) == 3)
            done++;
    if (done == 2)
        return t->run(2) == 2 ? 22 : 21;
    return done;
}
