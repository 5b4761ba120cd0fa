/* A fuzz target: libyaml's parser, event by event. */
#include <stddef.h>
#include <stdint.h>
#include <yaml.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    yaml_parser_t parser;
    yaml_event_t event;
    int last = YAML_NO_EVENT;
    if (!yaml_parser_initialize(&parser)) return 0;
    yaml_parser_set_input_string(&parser, data, size);
    while (last != YAML_STREAM_END_EVENT && yaml_parser_parse(&parser, &event)) {
        last = event.type;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return 0;
}
