/* jsmn_parse on at most SIZE bytes, with room for 16 tokens. jsmn is a header: jsmn_unit.c is its unit. */
#define JSMN_PARENT_LINKS
#define JSMN_STRICT
#define JSMN_HEADER
#include "jsmn.h"
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 8
#endif

int main(void) {
    char text[SIZE];
    jsmntok_t tokens[16];
    jsmn_parser parser;
    klee_make_symbolic(text, SIZE, "text");
    jsmn_init(&parser);
    return jsmn_parse(&parser, text, SIZE, tokens, 16);
}
