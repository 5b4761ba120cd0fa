/* A fuzz target: yajl_parse with comments allowed, and yajl_complete_parse. */
#include "api/yajl_parse.h"
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const yajl_callbacks nothing;
    yajl_handle parser = yajl_alloc(&nothing, 0, 0);
    yajl_config(parser, yajl_allow_comments, 1);
    if (yajl_parse(parser, data, size) == yajl_status_ok) yajl_complete_parse(parser);
    yajl_free(parser);
    return 0;
}
