/* How the engine joins a campaign that may be half done. */
#ifndef ENGINE_ATTACHMENT_H
#define ENGINE_ATTACHMENT_H
/* Joins the campaign in the shared memory, once a process: before the first command, and before anything else of the
   engine is called. */
void veer_engine_ready(void);
#endif
