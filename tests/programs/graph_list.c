// entry: entry
// input: struct node *p: -> .v=0 1; .next=-> self
// option: graph_depth=4
// graphs: 4
// about: every list of up to four nodes, cyclic ones too: where it begins again, what is in it
struct node { unsigned char v; struct node *next; };
int entry(struct node *p) {
    struct node *slow = p, *fast = p;
    int sum = 0;
    for (int k = 0; k < 3 && fast; k++, fast = fast->next)
        if (fast->v == 1)
            sum += 1 << k;
    if (sum == 5)
        return slow->next->next->next == slow ? 50 : 51;
    if (fast == slow)
        return 20 + sum;
    return fast && sum == 7 ? fast->v == 1 : sum;
}
