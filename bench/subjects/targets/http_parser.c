/* A fuzz target: http_parser_execute on a request or a reply, and the parts of it as a URL. */
#include "http_parser.h"
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    http_parser parser;
    http_parser_settings settings;
    struct http_parser_url url;
    http_parser_settings_init(&settings);
    http_parser_init(&parser, HTTP_BOTH);
    http_parser_execute(&parser, &settings, (const char *)data, size);
    http_parser_url_init(&url);
    http_parser_parse_url((const char *)data, size, 0, &url);
    return 0;
}
