// entry: words
// input: const char *s: string 3 of 'a' 32 44 'q'
// option: max_length=3
// claim: paths
#include <string.h>
int words(const char *s) {
    char copy[4];
    int count = 0;
    if (!s)
        return -1;
    strcpy(copy, s);
    for (char *word = strtok(copy, " ,"); word; word = strtok(NULL, " ,"))
        count += word[0] == 'q' ? 10 : 1;
    return count;
}
