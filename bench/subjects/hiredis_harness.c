/* The reader of redis replies on at most SIZE bytes; nothing is built from them. */
#include "read.h"
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 8
#endif

int main(void) {
    char text[SIZE];
    void *reply = 0;
    klee_make_symbolic(text, SIZE, "text");
    redisReader *reader = redisReaderCreateWithFunctions(0);
    if (!reader) return -1;
    redisReaderFeed(reader, text, SIZE);
    int status = redisReaderGetReply(reader, &reply);
    if (status == REDIS_OK) status = redisReaderGetReply(reader, &reply);
    redisReaderFree(reader);
    return status;
}
