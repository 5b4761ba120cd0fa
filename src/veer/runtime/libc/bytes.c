/* Byte order, and the lowest bit that is set: terms, where the machine's functions would be calls of a library. */
#include <stdint.h>

uint32_t veer_libc_htonl(uint32_t x) { return __builtin_bswap32(x); }
uint32_t veer_libc_ntohl(uint32_t x) { return __builtin_bswap32(x); }
uint16_t veer_libc_htons(uint16_t x) { return __builtin_bswap16(x); }
uint16_t veer_libc_ntohs(uint16_t x) { return __builtin_bswap16(x); }

int veer_libc_ffs(int x) { return __builtin_ffs(x); }
int veer_libc_ffsl(long x) { return __builtin_ffsl(x); }
int veer_libc_ffsll(long long x) { return __builtin_ffsll(x); }
