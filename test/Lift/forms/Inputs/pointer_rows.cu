#include <cuda_runtime.h>
typedef struct { float **element; } rows;
#pragma warpwright matmul
__global__ void pointer_rows(rows a, rows b, rows c, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int k;
  float s = 0.0f;
  if (i >= size || j >= size) return;
  for (k = 0; k < size; k++) s += a.element[i][k] * b.element[j][k];
  c.element[i][j] = s;
}
void run(rows a, rows b, rows c, int size) {
  dim3 t(32, 32);
  dim3 g((size + 31) / 32, (size + 31) / 32);
  pointer_rows<<<g, t>>>(a, b, c, size);
}
