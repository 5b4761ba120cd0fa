/* IAR's inavr.h on the host: what it declares is there already. */
