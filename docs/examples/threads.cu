// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several host threads launch at once, each on its own stream; with more than
// one GPU in the machine the threads are spread over two of them.
//
// EXPECT-LOG: hopper if k > 0

#include "check.h"

#include <memory>
#include <thread>

#pragma warpwright matmul
__global__ void matmul(const __nv_bfloat16 *A, const __nv_bfloat16 *B,
                       __nv_bfloat16 *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum +=
          __bfloat162float(A[row * K + k]) * __bfloat162float(B[k * N + col]);
    C[row * N + col] = __float2bfloat16(sum);
  }
}

/// One thread's share: its device, its stream and its matrices.
struct Worker {
  Worker(int device, int seed, check::Shape s)
      : device(device), shape(s), A(s.m, s.k), B(s.k, s.n), C(s.m, s.n) {
    A.random(seed);
    B.random(seed + 1);
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  ~Worker() { cudaStreamDestroy(stream); }

  void run() {
    CUDA_CHECK(cudaSetDevice(device));
    dim3 block(16, 16);
    dim3 grid(check::ceilDiv(shape.n, 16), check::ceilDiv(shape.m, 16));
    for (int i = 0; i < 10; ++i)
      matmul<<<grid, block, 0, stream>>>(A.data(), B.data(), C.data(), shape.m,
                                         shape.n, shape.k);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaStreamSynchronize(stream));
  }

  int device;
  check::Shape shape;
  check::Matrix<__nv_bfloat16> A, B, C;
  cudaStream_t stream = nullptr;
};

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  int devices = 0;
  CUDA_CHECK(cudaGetDeviceCount(&devices));
  if (devices > 2)
    devices = 2;
  std::printf("devices %d\n", devices);

  const check::Shape shapes[] = {
      {264, 136, 72}, {133, 72, 40}, {517, 328, 200}, {64, 1024, 256}};
  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < (test.quick() ? 4 : 16); ++i) {
    CUDA_CHECK(cudaSetDevice(i % devices));
    workers.push_back(
        std::make_unique<Worker>(i % devices, 100 + 2 * i, shapes[i / 4]));
  }

  std::vector<std::thread> threads;
  for (auto &worker : workers)
    threads.emplace_back([&worker] { worker->run(); });
  for (std::thread &thread : threads)
    thread.join();

  for (auto &worker : workers) {
    CUDA_CHECK(cudaSetDevice(worker->device));
    test.expect("matmul", worker->shape, worker->C,
                check::product(worker->shape, worker->A, worker->B), worker->A,
                worker->B);
  }
  workers.clear();
  return test.finish();
}
