/* ---- registers of the program's machine ----------------------------------------------------------------------- */

/* The unit reads and writes registers at addresses where this machine has no memory. Each such access faults; it is made again, as a single
   step with the prefix GS, in a page of this process: a read finds what the recorded run read, a write goes to a log that the test
   compares. This works on x86-64 Linux alone, with any compiler and at any level of optimisation. */
#if !defined(__x86_64__) || !defined(__linux__)
#error "these tests serve the unit's registers on x86-64 Linux; build them there"
#endif
extern int libc_sigaction(int, const void *, void *) __asm__("sigaction");
extern long libc_syscall(long, ...) __asm__("syscall");
enum { VEER_SEGV = 11, VEER_TRAP = 5, VEER_INFORMED = 4, VEER_ARCH_PRCTL = 158, VEER_SET_GS = 0x1001, VEER_RIP = 16, VEER_FLAGS = 17,
       VEER_ERROR = 19, VEER_STEP = 0x100, VEER_LONGEST = 15, VEER_PAGE = 4096 };
struct veer_action { void (*handler)(int, void *, void *); unsigned long mask[16]; int flags; void (*restorer)(void); };

static struct { unsigned long count; struct { unsigned long address, value; } writes[64]; } veer_registers;
static struct { unsigned long address; unsigned char value[8]; } veer_register_values[256]; /* what each was read as last */
static unsigned long veer_computed[256];
static unsigned char *veer_page, *veer_served, *veer_step; /* memory in the place of registers; where one instruction is executed */
static unsigned long veer_accessed;
static long long veer_resumes;
static int veer_is_write;

static unsigned char *veer_register_value(unsigned long address)
{
    unsigned long i = 0;
    while (i < sizeof veer_register_values / sizeof veer_register_values[0] - 1 && veer_register_values[i].address != 0 &&
           veer_register_values[i].address != address)
        i++;
    veer_register_values[i].address = address;
    return veer_register_values[i].value;
}

/* Registers at addresses that the unit computes are known by the order in which they are read. */
static unsigned long veer_order(unsigned long address)
{
    static const unsigned long count = sizeof veer_computed / sizeof veer_computed[0];
    unsigned long i = 0;
    while (i < count - 1 && veer_computed[i] != 0 && veer_computed[i] != address)
        i++;
    veer_computed[i] = address;
    return i + 1;
}

static int veer_is_fixed(unsigned long address)
{
    unsigned long i;
    for (i = 0; i < sizeof veer_regions / sizeof veer_regions[0]; i += 2)
        if (address >= veer_regions[i] && address < veer_regions[i + 1])
            return 1;
    return 0;
}

static int veer_is_computed(unsigned long address)
{
    unsigned long i;
    for (i = 0; i < sizeof veer_computed_ranges / sizeof veer_computed_ranges[0]; i += 2)
        if (address >= veer_computed_ranges[i] && address < veer_computed_ranges[i + 1])
            return 1;
    return 0;
}

/* The next recorded read32(0x40021000), read32(address 1), or the like; behind the last one the register keeps its value. */
static const unsigned char *veer_read_register(unsigned long address)
{
    unsigned char *value = veer_register_value(address);
    unsigned long i, order = veer_is_fixed(address) ? 0 : veer_order(address);
    for (i = 0; i < veer_input_count && i < sizeof veer_taken; i++) {
        const char *name = veer_inputs[i].name;
        unsigned long at = 4;
        if (veer_taken[i] || __builtin_memcmp(name, "read", 4) != 0)
            continue;
        while (name[at] != '\0' && name[at] != '(')
            at++;
        if (name[at] == '\0' || (name[at + 1] == 'a') != (order != 0))
            continue;
        at += order != 0 ? sizeof "(address" : 1;
        if (libc_strtoul(name + at, NULL, order != 0 ? 10 : 16) != (order != 0 ? order : address))
            continue;
        veer_taken[i] = 1;
        __builtin_memset(value, 0, 8);
        __builtin_memcpy(value, veer_inputs[i].bytes, veer_inputs[i].size < 8 ? veer_inputs[i].size : 8);
        break;
    }
    return value;
}

/* Whether an instruction that writes memory does not read it: MOV, STOS, SETcc and the stores of vector registers. */
static int veer_only_writes(const unsigned char *code)
{
    while (*code == 0x66 || *code == 0xf2 || *code == 0xf3 || *code == 0x2e || *code == 0x3e)
        code++;
    if ((*code & 0xf0) == 0x40)
        code++;
    if (*code != 0x0f)
        return (*code & 0xfc) == 0x88 || (*code & 0xfe) == 0xc6 || (*code & 0xfe) == 0xa2 || (*code & 0xfe) == 0xaa;
    code++;
    return *code == 0x11 || *code == 0x13 || *code == 0x29 || *code == 0x7e || *code == 0x7f || *code == 0xc3 || *code == 0xd6 ||
           *code == 0xe7 || (*code & 0xf0) == 0x90;
}

static void veer_on_fault(int number, void *information, void *context)
{
    unsigned long address = *(unsigned long *)((char *)information + 16);
    long long *registers = (long long *)((char *)context + 40);
    const unsigned char *code = (const unsigned char *)registers[VEER_RIP];
    if (!veer_is_fixed(address) && !veer_is_computed(address)) { /* a fault of the unit's own */
        struct veer_action usual = { 0, { 0 }, 0, 0 };
        libc_sigaction(number, &usual, NULL);
        return;
    }
    veer_is_write = (registers[VEER_ERROR] & 2) != 0;
    veer_accessed = address;
    veer_served = veer_page + (address & (VEER_PAGE - 1));
    __builtin_memset(veer_served, 0, 8);
    if (!veer_is_write || !veer_only_writes(code))
        __builtin_memcpy(veer_served, veer_read_register(address), 8);
    libc_syscall(VEER_ARCH_PRCTL, VEER_SET_GS, veer_page - (address & ~(VEER_PAGE - 1UL)));
    veer_step[0] = 0x65; /* GS */
    __builtin_memcpy(veer_step + 1, code, VEER_LONGEST);
    veer_resumes = registers[VEER_RIP];
    registers[VEER_RIP] = (long long)veer_step;
    registers[VEER_FLAGS] |= VEER_STEP;
}

static void veer_on_step(int number, void *information, void *context)
{
    long long *registers = (long long *)((char *)context + 40);
    (void)number;
    (void)information;
    registers[VEER_RIP] = veer_resumes + (registers[VEER_RIP] - (long long)veer_step - 1);
    registers[VEER_FLAGS] &= ~(long long)VEER_STEP;
    if (veer_is_write && veer_registers.count < sizeof veer_registers.writes / sizeof veer_registers.writes[0]) {
        unsigned long number_ = veer_registers.count++;
        veer_registers.writes[number_].address = veer_accessed;
        __builtin_memcpy(&veer_registers.writes[number_].value, veer_served, 8);
    }
}

/* Called behind veer_feed: from here on the registers are those of the recorded run. */
VEER_UNUSED static void veer_begin_registers(void)
{
    struct veer_action fault = { veer_on_fault, { 0 }, VEER_INFORMED, 0 }, step = { veer_on_step, { 0 }, VEER_INFORMED, 0 };
    if (veer_page == NULL) {
        veer_page = libc_mmap(NULL, 2 * VEER_PAGE, 3, 0x22, -1, 0);
        veer_step = libc_mmap(NULL, 4096, 7, 0x22, -1, 0);
        if (veer_page == (void *)-1 || veer_step == (void *)-1)
            libc_abort();
    }
    veer_registers.count = 0;
    __builtin_memset(veer_register_values, 0, sizeof veer_register_values);
    __builtin_memset(veer_computed, 0, sizeof veer_computed);
    libc_sigaction(VEER_SEGV, &fault, NULL);
    libc_sigaction(VEER_TRAP, &step, NULL);
}
