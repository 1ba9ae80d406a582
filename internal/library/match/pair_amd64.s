#include "textflag.h"

// func pairIn(data *byte, blocks, apart int, a, b, as, bs byte) int
//
// Y0 and Y1 hold the two bytes of the pair, Y2 and Y3 the bits that are set before the comparison. Each round compares
// 64 positions, in two halves.
TEXT ·pairIn(SB), NOSPLIT, $0-40
	MOVQ         data+0(FP), SI
	MOVQ         blocks+8(FP), CX
	MOVQ         apart+16(FP), DX
	VPBROADCASTB a+24(FP), Y0
	VPBROADCASTB b+25(FP), Y1
	VPBROADCASTB as+26(FP), Y2
	VPBROADCASTB bs+27(FP), Y3
	LEAQ         (SI)(DX*1), DI
	XORQ         AX, AX
	SHLQ         $6, CX

next:
	CMPQ      AX, CX
	JGE       none
	VPOR      (SI)(AX*1), Y2, Y4
	VPOR      (DI)(AX*1), Y3, Y5
	VPOR      32(SI)(AX*1), Y2, Y6
	VPOR      32(DI)(AX*1), Y3, Y7
	VPCMPEQB  Y0, Y4, Y4
	VPCMPEQB  Y1, Y5, Y5
	VPCMPEQB  Y0, Y6, Y6
	VPCMPEQB  Y1, Y7, Y7
	VPAND     Y4, Y5, Y4
	VPAND     Y6, Y7, Y6
	VPOR      Y4, Y6, Y5
	VPTEST    Y5, Y5
	JNZ       found
	ADDQ      $64, AX
	JMP       next

found:
	VPMOVMSKB Y4, BX
	VPMOVMSKB Y6, R8
	SHLQ      $32, R8
	ORQ       R8, BX
	BSFQ      BX, BX
	ADDQ      BX, AX
	MOVQ      AX, ret+32(FP)
	VZEROUPPER
	RET

none:
	MOVQ $-1, ret+32(FP)
	VZEROUPPER
	RET
