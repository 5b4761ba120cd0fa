/* System calls of veer's own. */
#include "kernel.h"

__asm__(".text\n"
        ".globl veer_kernel\n"
        ".type veer_kernel, @function\n"
        "veer_kernel:\n"
        "    movq %rdi, %rax\n"
        "    movq %rsi, %rdi\n"
        "    movq %rdx, %rsi\n"
        "    movq %rcx, %rdx\n"
        "    movq %r8, %r10\n"
        "    movq %r9, %r8\n"
        "    movq 8(%rsp), %r9\n"
        "    syscall\n"
        ".globl veer_kernel_place\n"
        "veer_kernel_place:\n"
        "    ret\n"
        ".size veer_kernel, . - veer_kernel\n");
