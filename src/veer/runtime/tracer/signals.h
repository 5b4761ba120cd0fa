/* Signals that strike while the unit runs. */
#ifndef VEER_SIGNALS_H
#define VEER_SIGNALS_H

void veer_install_handlers(void);
#endif
