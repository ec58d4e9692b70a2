#include "textflag.h"

// func sum3SSE2(dst []float64, u float64, a []float64, v float64, b []float64, w float64, c []float64)
//
// Four numbers at a time, then one. Products are rounded before they are added.
TEXT ·sum3SSE2(SB), NOSPLIT, $0-120
	MOVQ  dst_base+0(FP), DI
	MOVQ  dst_len+8(FP), CX
	MOVQ  a_base+32(FP), AX
	MOVQ  b_base+64(FP), BX
	MOVQ  c_base+96(FP), DX
	MOVSD u+24(FP), X0
	MOVSD v+56(FP), X1
	MOVSD w+88(FP), X2
	UNPCKLPD X0, X0
	UNPCKLPD X1, X1
	UNPCKLPD X2, X2
	XORQ  SI, SI
	MOVQ  CX, R8
	ANDQ  $-4, R8
	JZ    rest

four:
	MOVUPD (AX)(SI*8), X3
	MOVUPD 16(AX)(SI*8), X6
	MOVUPD (BX)(SI*8), X4
	MOVUPD 16(BX)(SI*8), X7
	MOVUPD (DX)(SI*8), X5
	MOVUPD 16(DX)(SI*8), X8
	MULPD  X0, X3
	MULPD  X0, X6
	MULPD  X1, X4
	MULPD  X1, X7
	MULPD  X2, X5
	MULPD  X2, X8
	ADDPD  X4, X3
	ADDPD  X7, X6
	ADDPD  X5, X3
	ADDPD  X8, X6
	MOVUPD X3, (DI)(SI*8)
	MOVUPD X6, 16(DI)(SI*8)
	ADDQ   $4, SI
	CMPQ   SI, R8
	JLT    four

rest:
	CMPQ  SI, CX
	JGE   done
	MOVSD (AX)(SI*8), X3
	MOVSD (BX)(SI*8), X4
	MOVSD (DX)(SI*8), X5
	MULSD X0, X3
	MULSD X1, X4
	MULSD X2, X5
	ADDSD X4, X3
	ADDSD X5, X3
	MOVSD X3, (DI)(SI*8)
	INCQ  SI
	JMP   rest

done:
	RET

// func sum3AVX(dst []float64, u float64, a []float64, v float64, b []float64, w float64, c []float64)
//
// Eight numbers at a time, else as sum3SSE2.
TEXT ·sum3AVX(SB), NOSPLIT, $0-120
	MOVQ dst_base+0(FP), DI
	MOVQ dst_len+8(FP), CX
	MOVQ a_base+32(FP), AX
	MOVQ b_base+64(FP), BX
	MOVQ c_base+96(FP), DX
	VBROADCASTSD u+24(FP), Y0
	VBROADCASTSD v+56(FP), Y1
	VBROADCASTSD w+88(FP), Y2
	XORQ SI, SI
	JMP  more

eight:
	VMOVUPD (AX)(SI*8), Y3
	VMOVUPD 32(AX)(SI*8), Y6
	VMULPD  Y0, Y3, Y3
	VMULPD  Y0, Y6, Y6
	VMULPD  (BX)(SI*8), Y1, Y4
	VMULPD  32(BX)(SI*8), Y1, Y7
	VMULPD  (DX)(SI*8), Y2, Y5
	VMULPD  32(DX)(SI*8), Y2, Y8
	VADDPD  Y4, Y3, Y3
	VADDPD  Y7, Y6, Y6
	VADDPD  Y5, Y3, Y3
	VADDPD  Y8, Y6, Y6
	VMOVUPD Y3, (DI)(SI*8)
	VMOVUPD Y6, 32(DI)(SI*8)
	ADDQ    $8, SI

more:
	CMPQ SI, CX
	JLT  eight
	VZEROUPPER
	RET
