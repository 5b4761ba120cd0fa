/* A fuzz target: XML_Parse with handlers of elements and text. */
#include <expat.h>
#include <stddef.h>
#include <stdint.h>

static void start(void *user, const char *name, const char **attributes) { *(int *)user += name[0] + (attributes[0] != 0); }
static void end(void *user, const char *name) { *(int *)user -= name[0]; }
static void characters(void *user, const char *text, int length) { *(int *)user += length && text[0] == 'x'; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int seen = 0;
    XML_Parser parser = XML_ParserCreate(0);
    if (!parser) return 0;
    XML_SetHashSalt(parser, 1);
    XML_SetUserData(parser, &seen);
    XML_SetElementHandler(parser, start, end);
    XML_SetCharacterDataHandler(parser, characters);
    XML_Parse(parser, (const char *)data, (int)size, 1);
    XML_ParserFree(parser);
    return 0;
}
