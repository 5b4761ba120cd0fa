/* IAR's intrinsics.h on the host: what it declares is there already. */
