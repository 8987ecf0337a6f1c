package gemm

// pack stores the k×n matrix b, element (i, j) at b[i*rs+j*cs], in panels:
// dst[:Panels(n)*k*Panel]. Padding columns become zero.
func pack(dst, b []float32, k, n, rs, cs int) {
	for p := 0; p < Panels(n); p++ {
		for i := 0; i < k; i++ {
			row := dst[(p*k+i)*Panel:][:Panel]
			for j := range row {
				if col := p*Panel + j; col < n {
					row[j] = b[i*rs+col*cs]
				} else {
					row[j] = 0
				}
			}
		}
	}
}

// unpack is the inverse of pack; padding columns are dropped.
func unpack(b, src []float32, k, n, rs, cs int) {
	for j := 0; j < n; j++ {
		for i := 0; i < k; i++ {
			b[i*rs+j*cs] = src[(j/Panel*k+i)*Panel+j%Panel]
		}
	}
}
