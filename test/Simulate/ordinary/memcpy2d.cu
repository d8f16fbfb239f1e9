// Pitched memory and copies of two and three dimensions.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <vector>

__global__ void scale(char *base, size_t pitch, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    int *row = reinterpret_cast<int *>(base + y * pitch);
    row[x] *= 3;
  }
}

int main() {
  const int w = 19, h = 7, stride = 25;
  std::vector<int> in(stride * h), out(stride * h, -1);
  for (int i = 0; i < stride * h; ++i)
    in[i] = i;
  char *d;
  size_t pitch;
  CUDA(cudaMallocPitch(&d, &pitch, w * sizeof(int), h));
  EXPECT(pitch >= w * sizeof(int) && pitch % 32 == 0);
  CUDA(cudaMemset2D(d, pitch, 0, w * sizeof(int), h));
  CUDA(cudaMemcpy2D(d, pitch, in.data(), stride * sizeof(int), w * sizeof(int),
                    h, cudaMemcpyHostToDevice));
  scale<<<dim3(2, 2), dim3(16, 4)>>>(d, pitch, w, h);
  CUDA(cudaMemcpy2DAsync(out.data(), stride * sizeof(int), d, pitch,
                         w * sizeof(int), h, cudaMemcpyDeviceToHost));
  CUDA(cudaDeviceSynchronize());
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < stride; ++x)
      EXPECT(out[y * stride + x] == (x < w ? 3 * in[y * stride + x] : -1));
  CUDA(cudaFree(d));

  // A box out of a volume.
  cudaPitchedPtr volume;
  const cudaExtent extent = make_cudaExtent(8 * sizeof(float), 6, 4);
  CUDA(cudaMalloc3D(&volume, extent));
  std::vector<float> source(8 * 6 * 4), box(3 * 2 * 2);
  for (size_t i = 0; i < source.size(); ++i)
    source[i] = static_cast<float>(i);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(source.data(), 8 * sizeof(float), 8, 6);
  copy.dstPtr = volume;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CUDA(cudaMemcpy3D(&copy));
  cudaMemcpy3DParms back = {};
  back.srcPtr = volume;
  back.srcPos = make_cudaPos(2 * sizeof(float), 3, 1);
  back.dstPtr = make_cudaPitchedPtr(box.data(), 3 * sizeof(float), 3, 2);
  back.extent = make_cudaExtent(3 * sizeof(float), 2, 2);
  back.kind = cudaMemcpyDeviceToHost;
  CUDA(cudaMemcpy3D(&back));
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 2; ++y)
      for (int x = 0; x < 3; ++x)
        EXPECT(box[(z * 2 + y) * 3 + x] ==
               source[((z + 1) * 6 + y + 3) * 8 + x + 2]);
  CUDA(cudaFree(volume.ptr));
  return verdict();
}
