/* What the ladder says. */
#ifndef ENGINE_VERDICT_H
#define ENGINE_VERDICT_H
enum verdict { VERDICT_UNKNOWN = 0, VERDICT_SAT = 1, VERDICT_UNSAT = 2 };
#endif
