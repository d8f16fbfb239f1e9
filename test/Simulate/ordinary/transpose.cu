// Transposes through shared memory: static, padded and dynamic tiles.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <vector>

constexpr int tile = 16, rows = 4;

__global__ void fixed(const float *in, float *out, int width, int height) {
  __shared__ float buffer[tile][tile + 1];
  int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rows)
    if (x < width && y + j < height)
      buffer[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * tile + threadIdx.x;
  y = blockIdx.x * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rows)
    if (x < height && y + j < width)
      out[(y + j) * height + x] = buffer[threadIdx.x][threadIdx.y + j];
}

template <class T, int Pad>
__global__ void dynamic(const T *in, T *out, int width, int height) {
  extern __shared__ __align__(16) unsigned char raw[];
  T *buffer = reinterpret_cast<T *>(raw);
  const int side = blockDim.x;
  const int x = blockIdx.x * side + threadIdx.x;
  const int y = blockIdx.y * side + threadIdx.y;
  if (x < width && y < height)
    buffer[threadIdx.y * (side + Pad) + threadIdx.x] = in[y * width + x];
  __syncthreads();
  const int u = blockIdx.y * side + threadIdx.x;
  const int v = blockIdx.x * side + threadIdx.y;
  if (u < height && v < width)
    out[v * height + u] = buffer[threadIdx.x * (side + Pad) + threadIdx.y];
}

template <class T, class Launch>
void check(int width, int height, Launch launch) {
  std::vector<T> in(width * height), out(width * height);
  for (int i = 0; i < width * height; ++i)
    in[i] = static_cast<T>(i);
  Device<T> din(in.data(), in.size()), dout(in.size());
  launch(din.data, dout.data);
  CUDA(cudaDeviceSynchronize());
  dout.get(out.data());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      EXPECT(out[x * height + y] == in[y * width + x]);
}

int main() {
  for (int width : {16, 37})
    for (int height : {16, 50}) {
      const dim3 grid((width + tile - 1) / tile, (height + tile - 1) / tile);
      check<float>(width, height, [&](const float *in, float *out) {
        fixed<<<grid, dim3(tile, rows)>>>(in, out, width, height);
      });
      check<double>(width, height, [&](const double *in, double *out) {
        dynamic<double, 1><<<dim3((width + 7) / 8, (height + 7) / 8), dim3(8, 8),
                             8 * 9 * sizeof(double)>>>(in, out, width, height);
      });
      check<short>(width, height, [&](const short *in, short *out) {
        dynamic<short, 2><<<dim3((width + 7) / 8, (height + 7) / 8), dim3(8, 8),
                            8 * 10 * sizeof(short)>>>(in, out, width, height);
      });
    }
  return verdict();
}
