#include <cuda_runtime.h>
#include <cstddef>
__device__ float4 get4(const float *p) { return *reinterpret_cast<const float4 *>(p); }
__device__ void put4(float *p, float4 v) { *reinterpret_cast<float4 *>(p) = v; }
#pragma warpwright matmul
__global__ void fw_four(float *y, const float *x, const float *w, const float *b, int rows, int c, int oc) {
  int r = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
  int o = 8 * (blockIdx.y * blockDim.y + threadIdx.y);
  if (r < rows && o < oc) {
    float v[8][8] = {};
    if (b != NULL) {
      for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j += 4) {
          float4 q = get4(b + o + j);
          v[i][j + 0] = q.x;
          v[i][j + 1] = q.y;
          v[i][j + 2] = q.z;
          v[i][j + 3] = q.w;
        }
      }
    }
    for (int k = 0; k < c; k += 4) {
      float4 wr[8];
      for (int u = 0; u < 8; ++u) wr[u] = get4(w + k + (o + u) * c);
      for (int i = 0; i < 8; ++i) {
        float4 l = get4(x + k + (r + i) * c);
        for (int j = 0; j < 8; ++j) {
          v[i][j] += l.x * wr[j].x;
          v[i][j] += l.y * wr[j].y;
          v[i][j] += l.z * wr[j].z;
          v[i][j] += l.w * wr[j].w;
        }
      }
    }
    for (int i = 0; i < 8; ++i) {
      for (int j = 0; j < 8; j += 4) {
        float4 q;
        q.x = v[i][j + 0];
        q.y = v[i][j + 1];
        q.z = v[i][j + 2];
        q.w = v[i][j + 3];
        put4(y + (r + i) * oc + o + j, q);
      }
    }
  }
}
template <class T> T up(T a, T b) { return (a + b - 1) / b; }
void run(float *y, const float *x, const float *w, const float *b, int B, int T, int C, int OC, int edge) {
  if (edge > 16) edge = 16;
  dim3 g(up(B * T, edge), up(OC, edge));
  dim3 t(edge, edge);
  fw_four<<<g, t>>>(y, x, w, b, B * T, C, OC);
}
