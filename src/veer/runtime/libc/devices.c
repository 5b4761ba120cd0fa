/* Registers of devices: volatile accesses at addresses that the unit names itself and where no object of it lies (instrument/devices.py,
   decision 0357). The same for campaigns and for replays.

   Each read is an input of its own, read32(0x40013800), as often as a bound says; from then on the register keeps its value, so that a loop
   that waits for it ends by its own counter. A register that is asked for 65,536 times more in vain is waited for for ever: no test. A
   write goes to the log, and a test compares it. What is read does not depend on what was written.

   An address that the code computes from a number that it is given, base + 12, is a register's unless it starts from an object's: its number is
   not asked, and the input is called after the order in which registers are read, read32(address 1). */
#include <stdint.h>

#include "veer_harness.h"
#include "veer_wire.h"

#define LEAST_ADDRESS 0x1000u
#define BEHIND_ADDRESSES (1ull << 32)
enum { MOST_REGISTERS = 256, LOGGED = 64, MOST_POLLS = 1 << 16, ROOT_ROOM = 32, DIGITS = 16 };
#define NEVER_WRITTEN 0xa5a5a5a5a5a5a5a5u /* so that a write of zero changes the log, too */

struct device_register {
    uint64_t address, value;
    uint32_t size, reads, order; /* order: of registers at computed addresses, from 1 on; 0: it is at a fixed one */
    char root[ROOT_ROOM];
};

static struct device_register registers[MOST_REGISTERS];
static uint32_t register_count, computed_count, polls, usual_reads;
static uint64_t forgotten; /* what is written when the log is full */

/* What the run wrote: recorded around the call as a variable of the unit. */
struct {
    uint64_t count;
    struct {
        uint64_t address, value;
    } writes[LOGGED];
} veer_registers = {.writes = {[0 ... LOGGED - 1] = {NEVER_WRITTEN, NEVER_WRITTEN}}};

/* Called by the harness: where registers are, as begin and end of each region; how many reads of one register are inputs. */
void veer_set_devices(const uint64_t *regions, uint32_t count, uint32_t reads) {
    usual_reads = reads;
    veer_reserve_regions(regions, count);
}

static char *put(char *to, const char *text) {
    while (*text) *to++ = *text++;
    return to;
}

/* read32(0x40013800), read32(address 12) */
static void name_root(struct device_register *each) {
    static const char digits[] = "0123456789abcdef";
    char *to = put(each->root, each->size == 1 ? "read8(" : each->size == 2 ? "read16(" : each->size == 4 ? "read32(" : "read64(");
    to = put(to, each->order ? "address " : "0x");
    if (each->order) {
        if (each->order >= 100) *to++ = digits[each->order / 100];
        if (each->order >= 10) *to++ = digits[each->order / 10 % 10];
        *to++ = digits[each->order % 10];
    } else {
        int first = DIGITS - 1;
        while (first > 0 && !(each->address >> 4 * first)) first--;
        for (int k = first; k >= 0; k--) *to++ = digits[each->address >> 4 * k & 15];
    }
    put(to, ")")[0] = 0;
}

static struct device_register *register_at(uint64_t address, uint32_t size) {
    for (uint32_t k = 0; k < register_count; k++)
        if (registers[k].address == address && registers[k].size == size) return &registers[k];
    veer_assume(register_count < MOST_REGISTERS);
    struct device_register *each = &registers[register_count++];
    each->address = address;
    each->size = size;
    if (address & VEER_COMPUTED_ADDRESS) each->order = ++computed_count;
    name_root(each);
    return each;
}

static void make_value(struct device_register *each) {
    struct veer_type type = {.id = UINT32_MAX, .kind = VEER_TYPE_UNSIGNED, .size = each->size, .alignment = each->size};
    each->value = 0;
    veer_make(&each->value, &type, each->root);
}

/* What the caller gave a number for is the address of a register: that is taken for granted. */
static uint64_t address_of(void *place, uint32_t is_computed) {
    uint64_t address = veer_device_at(place, is_computed);
    if (address & VEER_COMPUTED_ADDRESS) {
        veer_assume((uint64_t)place >= LEAST_ADDRESS);
        veer_assume((uint64_t)place < BEHIND_ADDRESSES);
        veer_assume((uint64_t)place - VEER_PLAIN_BEGIN >= VEER_PLAIN_END - VEER_PLAIN_BEGIN);
    }
    return address;
}

/* Where `size` bytes are read for that address: there, or where the register's value is. */
void *veer_device_read(void *place, uint32_t size, uint32_t is_computed) {
    uint64_t address = address_of(place, is_computed);
    if (!address) return place;
    struct device_register *each = register_at(address, size);
    if (veer_read_is_input(each->root, each->reads, usual_reads)) {
        each->reads++;
        make_value(each);
    } else {
        veer_assume(polls++ < MOST_POLLS);
    }
    return &each->value;
}

/* The same for a write. */
void *veer_device_write(void *place, uint32_t size, uint32_t is_computed) {
    (void)size;
    if (!address_of(place, is_computed)) return place;
    if (veer_registers.count == LOGGED) return &forgotten;
    uint64_t number = veer_registers.count++;
    veer_registers.writes[number].address = (uint64_t)place;
    veer_registers.writes[number].value = 0;
    return &veer_registers.writes[number].value;
}
