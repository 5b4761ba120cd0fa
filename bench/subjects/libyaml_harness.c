/* libyaml's parser on at most SIZE bytes, event by event. */
#include <klee/klee.h>
#include <yaml.h>
#ifndef SIZE
#define SIZE 8
#endif

int main(void) {
    unsigned char text[SIZE];
    yaml_parser_t parser;
    yaml_event_t event;
    int last = YAML_NO_EVENT;
    klee_make_symbolic(text, SIZE, "text");
    if (!yaml_parser_initialize(&parser)) return -1;
    yaml_parser_set_input_string(&parser, text, SIZE);
    while (last != YAML_STREAM_END_EVENT && yaml_parser_parse(&parser, &event)) {
        last = event.type;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return last;
}
