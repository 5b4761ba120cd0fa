/* XML_Parse on at most SIZE bytes, with handlers of elements and text. */
#include <expat.h>
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 8
#endif

static void start(void *user, const char *name, const char **attributes) { *(int *)user += name[0] + (attributes[0] != 0); }
static void end(void *user, const char *name) { *(int *)user -= name[0]; }
static void characters(void *user, const char *text, int length) { *(int *)user += length && text[0] == 'x'; }

int main(void) {
    char text[SIZE];
    int seen = 0;
    klee_make_symbolic(text, SIZE, "text");
    XML_Parser parser = XML_ParserCreate(0);
    if (!parser) return -1;
    XML_SetHashSalt(parser, 1);
    XML_SetUserData(parser, &seen);
    XML_SetElementHandler(parser, start, end);
    XML_SetCharacterDataHandler(parser, characters);
    int status = XML_Parse(parser, text, SIZE, 1);
    XML_ParserFree(parser);
    return status;
}
