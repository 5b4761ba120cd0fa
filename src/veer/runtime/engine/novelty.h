/* What a concrete run showed that none before did. */
#ifndef ENGINE_NOVELTY_H
#define ENGINE_NOVELTY_H
#include <stdint.h>

struct run_news {
    uint32_t counts; /* edges that were taken more or less often than ever */
    uint32_t edges;  /* edges that no run of the campaign has covered */
    uint32_t rarest; /* the edge of the run that the fewest runs took, or NONE */
};

/* Looks at the edges of the concrete run that just ended, and remembers them. */
struct run_news veer_run_news(void);
#endif
