// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Captured in a CUDA graph and replayed: C grows by A B with every replay, so
// a replay that does nothing, or runs twice, shows.
//
// EXPECT-LOG: hopper if k > 0

#include "check.h"

#pragma warpwright matmul
__global__ void accumulate(const half *A, const half *B, float *C, int M, int N,
                           int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = C[row * N + col];
    for (int k = 0; k < K; ++k)
      sum += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    C[row * N + col] = sum;
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  const int replays = 3;
  for (check::Shape s : test.shapes()) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n), before(s.m, s.n);
    A.random(69);
    B.random(70);
    C.random(71);
    before.random(71);

    cudaStream_t stream;
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    dim3 block(16, 16);
    dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    accumulate<<<grid, block, 0, stream>>>(A.data(), B.data(), C.data(), s.m,
                                           s.n, s.k);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < replays; ++i)
      CUDA_CHECK(cudaGraphLaunch(exec, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaGraphExecDestroy(exec));
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaStreamDestroy(stream));

    check::Table sum = check::product(s, A, B);
    test.expect(
        "accumulate", s, C,
        [&](int m, int n) { return before(m, n) + replays * sum(m, n); }, A, B);
  }
  return test.finish();
}
