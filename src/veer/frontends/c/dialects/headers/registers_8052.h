/* What an 8052 has more than an 8051: timer 2. */
#ifndef VEER_REGISTERS_8052_H
#define VEER_REGISTERS_8052_H
#include "registers_8051.h"
#define T2CON VEER_SFR(0xC8)
#define T2MOD VEER_SFR(0xC9)
#define RCAP2L VEER_SFR(0xCA)
#define RCAP2H VEER_SFR(0xCB)
#define TL2 VEER_SFR(0xCC)
#define TH2 VEER_SFR(0xCD)
#define CP_RL2 VEER_BIT(T2CON, 0)
#define C_T2 VEER_BIT(T2CON, 1)
#define TR2 VEER_BIT(T2CON, 2)
#define EXEN2 VEER_BIT(T2CON, 3)
#define TCLK VEER_BIT(T2CON, 4)
#define RCLK VEER_BIT(T2CON, 5)
#define EXF2 VEER_BIT(T2CON, 6)
#define TF2 VEER_BIT(T2CON, 7)
#define ET2 VEER_BIT(IE, 5)
#define PT2 VEER_BIT(IP, 5)
#define T2 VEER_BIT(P1, 0)
#define T2EX VEER_BIT(P1, 1)
#endif
