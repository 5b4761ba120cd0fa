/* What the monitors of specifications hear of; veer_watch.c reads it. Do not edit: veer writes it anew. */
#ifdef VEER_WATCH
{{ events }}
#endif
