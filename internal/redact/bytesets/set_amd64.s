#include "textflag.h"

// Y0 and Y1 hold the tables of a set for the low and the high half of a byte, Y2 the low half of every byte, Y3 zero.
#define SETUP \
	MOVQ           text_base+0(FP), SI  \
	MOVQ           text_len+8(FP), CX   \
	MOVQ           low+16(FP), DX       \
	MOVQ           high+24(FP), DI      \
	VBROADCASTI128 (DX), Y0             \
	VBROADCASTI128 (DI), Y1             \
	MOVQ           $0x0f0f0f0f0f0f0f0f, R8 \
	VMOVQ          R8, X2               \
	VPBROADCASTQ   X2, Y2               \
	VPXOR          Y3, Y3, Y3           \
	XORQ           AX, AX               \
	ANDQ           $~31, CX

// LOOKUP looks up the next 32 bytes. A byte is in the set if those of Y4 and Y5 have a bit in common.
#define LOOKUP \
	VMOVDQU (SI)(AX*1), Y4 \
	VPSRLW  $4, Y4, Y5     \
	VPAND   Y2, Y4, Y4     \
	VPAND   Y2, Y5, Y5     \
	VPSHUFB Y4, Y0, Y4     \
	VPSHUFB Y5, Y1, Y5

// func nextIn(text string, low, high *[16]uint8) int
TEXT ·nextIn(SB), NOSPLIT, $0-40
	SETUP

next:
	CMPQ   AX, CX
	JGE    none
	LOOKUP
	VPTEST Y4, Y5
	JNZ    found
	ADDQ   $32, AX
	JMP    next

found:
	VPAND     Y4, Y5, Y4
	VPCMPEQB  Y3, Y4, Y4
	VPMOVMSKB Y4, BX
	NOTL      BX
	BSFL      BX, BX
	ADDQ      BX, AX
	MOVQ      AX, ret+32(FP)
	VZEROUPPER
	RET

none:
	MOVQ $-1, ret+32(FP)
	VZEROUPPER
	RET

// func runIn(text string, low, high *[16]uint8) int
//
// BX has a bit for each group of eight bytes of the set, the lowest for the last group of the block before.
TEXT ·runIn(SB), NOSPLIT, $0-40
	SETUP
	XORL BX, BX

next:
	CMPQ      AX, CX
	JGE       none
	LOOKUP
	VPAND     Y4, Y5, Y4
	VPCMPEQB  Y3, Y4, Y4
	VPCMPEQQ  Y3, Y4, Y4
	VMOVMSKPD Y4, R9
	SHRL      $4, BX
	LEAL      (BX)(R9*2), BX
	MOVL      BX, R10
	SHRL      $1, R10
	ANDL      BX, R10
	JNZ       found
	ADDQ      $32, AX
	JMP       next

found:
	BSFL R10, R10
	LEAQ -8(AX)(R10*8), AX
	MOVQ AX, ret+32(FP)
	VZEROUPPER
	RET

none:
	MOVQ $-1, ret+32(FP)
	VZEROUPPER
	RET
