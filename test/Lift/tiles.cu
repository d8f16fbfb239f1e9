// Tiles in shared memory: an element that is read is what the thread that stored
// it has loaded.
//
// RUN: %warpwright rewrite --emit=contraction %s -- %parse | FileCheck %s

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define T 16
#define PLACE                                                                  \
  int tx = threadIdx.x, ty = threadIdx.y;                                      \
  int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;                    \
  float sum = 0;
#define ARGS                                                                   \
  const float *A, const float *B, float *C, int M, int N, int K

// Zeros where the matrix ends, by if and else.
//
// CHECK-LABEL: contraction "guarded"
// CHECK: index %m < min(16 * gridDim.y, M)
// CHECK: index %n < min(16 * gridDim.x, N)
// CHECK: index %k < K
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: output C[%m * N + %n]:f32 = acc
// CHECK: require blockDim.x == 16
// CHECK: require blockDim.y == 16
// CHECK: require K + 15 >= 0
#pragma warpwright matmul
__global__ void guarded(ARGS) {
  __shared__ float As[T][T], Bs[T][T];
  PLACE
  for (int t = 0; t < (K + T - 1) / T; ++t) {
    if (row < M && t * T + tx < K)
      As[ty][tx] = A[row * K + t * T + tx];
    else
      As[ty][tx] = 0.0f;
    if (t * T + ty < K && col < N)
      Bs[ty][tx] = B[(t * T + ty) * N + col];
    else
      Bs[ty][tx] = 0.0f;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = sum;
}

// First zeros, then what there is; one tile is transposed on its way in,
// both are padded and hold float.
//
// CHECK-LABEL: contraction "zeros_first"
// CHECK: index %m < min(16 * gridDim.y, M)
// CHECK: index %n < min(16 * gridDim.x, N)
// CHECK: index %k < K
// CHECK: operand A = A[%m * K + %k]:f16
// CHECK: operand B = B[%k * N + %n]:f16
// CHECK: output C[%m * N + %n]:f32 = acc
// CHECK: require blockDim.x == 16
// CHECK: require blockDim.y == 16
// CHECK: require K - 1 >= 0
#pragma warpwright matmul
__global__ void zeros_first(const half *A, const half *B, float *C, int M,
                            int N, int K) {
  __shared__ float As[T][T + 1], Bs[T][T + 1];
  PLACE
  for (int t = 0; t < (K - 1) / T + 1; ++t) {
    As[ty][tx] = 0;
    Bs[tx][ty] = 0;
    if (row < M && t * T + tx < K)
      As[ty][tx] = __half2float(A[row * K + t * T + tx]);
    if (col < N && t * T + ty < K)
      Bs[tx][ty] = __half2float(B[(t * T + ty) * N + col]);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[ty][k] * Bs[tx][k];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = sum;
}

// Clamped indices and flags; the number of tiles is rounded up in float.
//
// CHECK-LABEL: contraction "flags"
// CHECK: index %m < min(16 * gridDim.y, M)
// CHECK: index %n < min(16 * gridDim.x, N)
// CHECK: index %k < K
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: output C[%m * N + %n]:f32 = acc
// CHECK: require blockDim.x == 16
// CHECK: require blockDim.y == 16
// CHECK: require floordiv(K + 15, 16) <= 16777216
// CHECK: require K <= 16777216
#pragma warpwright matmul
__global__ void flags(ARGS) {
  __shared__ float As[T][T], Bs[T][T];
  PLACE
  for (int t = 0; t < ceil(K / (float)T); ++t) {
    float inA = row < M && t * T + tx < K;
    float inB = col < N && t * T + ty < K;
    As[ty][tx] = A[min(row, M - 1) * K + min(t * T + tx, K - 1)] * inA;
    Bs[ty][tx] = B[min(t * T + ty, K - 1) * N + min(col, N - 1)] * inB;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = sum;
}

// Tiles of a size that is an argument, in one dynamic buffer.
//
// CHECK-LABEL: contraction "dynamic"
// CHECK: index %m < gridDim.y * width
// CHECK: index %n < gridDim.x * width
// CHECK: index %k < floordiv(N, width) * width
// CHECK: operand A = A[%m * N + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: output C[%m * N + %n]:f32 = acc
// CHECK: require width >= 0
// CHECK: require blockDim.x == width
// CHECK: require blockDim.y == width
// CHECK: require N >= gridDim.x * width
// CHECK: require width > 0
// CHECK: require N >= 0
#pragma warpwright matmul
__global__ void dynamic(const float *A, const float *B, float *C, int N,
                        int width) {
  extern __shared__ float buffer[];
  float *As = buffer, *Bs = buffer + width * width;
  int row = blockIdx.y * width + threadIdx.y;
  int col = blockIdx.x * width + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < N / width; ++t) {
    As[threadIdx.y * width + threadIdx.x] = A[row * N + t * width + threadIdx.x];
    Bs[threadIdx.y * width + threadIdx.x] =
        B[(t * width + threadIdx.y) * N + col];
    __syncthreads();
    for (int k = 0; k < width; ++k)
      sum += As[threadIdx.y * width + k] * Bs[k * width + threadIdx.x];
    __syncthreads();
  }
  C[row * N + col] = sum;
}

// As large as the block.
//
// CHECK-LABEL: contraction "of_block"
// CHECK: index %m < blockDim.y * gridDim.y
// CHECK: index %n < blockDim.x * gridDim.x
// CHECK: index %k < blockDim.x * floordiv(N - 1, blockDim.x) + blockDim.x
// CHECK: operand A = A[%m * N + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: output C[%m * N + %n]:f32 = acc
// CHECK: require N >= blockDim.x * gridDim.x
// CHECK: require blockDim.x == blockDim.y
#pragma warpwright matmul
__global__ void of_block(const float *A, const float *B, float *C, int N) {
  extern __shared__ float buffer[];
  float *As = buffer, *Bs = &buffer[blockDim.x * blockDim.x];
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < N; t += blockDim.x) {
    As[threadIdx.y * blockDim.x + threadIdx.x] = A[row * N + t + threadIdx.x];
    Bs[threadIdx.y * blockDim.x + threadIdx.x] = B[(t + threadIdx.y) * N + col];
    __syncthreads();
    for (int k = 0; k < blockDim.x; ++k)
      sum += As[threadIdx.y * blockDim.x + k] * Bs[k * blockDim.x + threadIdx.x];
    __syncthreads();
  }
  C[row * N + col] = sum;
}

// Two buffers, of which one is filled while the other one is used.
//
// CHECK-LABEL: contraction "two_buffers"
// CHECK: index %m < 16 * gridDim.y
// CHECK: index %n < 16 * gridDim.x
// CHECK: index %k < 16 * floordiv(K, 16)
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: output C[%m * N + %n]:f32 = acc
// CHECK: require blockDim.x == 16
// CHECK: require blockDim.y == 16
// CHECK: require N >= 16 * gridDim.x
// CHECK: require K >= 0
#pragma warpwright matmul
__global__ void two_buffers(ARGS) {
  __shared__ float As[2][T][T], Bs[2][T][T];
  PLACE
  int tiles = K / T;
  As[0][ty][tx] = A[row * K + tx];
  Bs[0][ty][tx] = B[ty * N + col];
  __syncthreads();
  for (int t = 0; t < tiles; ++t) {
    int now = t & 1, next = (t + 1) & 1;
    if (t + 1 < tiles) {
      As[next][ty][tx] = A[row * K + (t + 1) * T + tx];
      Bs[next][ty][tx] = B[((t + 1) * T + ty) * N + col];
    }
    for (int k = 0; k < T; ++k)
      sum += As[now][ty][k] * Bs[now][k][tx];
    __syncthreads();
  }
  C[row * N + col] = sum;
}

// The next tile waits in registers.
//
// CHECK-LABEL: contraction "ahead"
// CHECK: index %m < 16 * gridDim.y
// CHECK: index %n < 16 * gridDim.x
// CHECK: index %k < 16 * floordiv(K, 16)
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: output C[%m * N + %n]:f32 = acc
// CHECK: require blockDim.x == 16
// CHECK: require blockDim.y == 16
// CHECK: require N >= 16 * gridDim.x
// CHECK: require K >= 0
#pragma warpwright matmul
__global__ void ahead(ARGS) {
  __shared__ float As[T][T], Bs[T][T];
  PLACE
  float a = A[row * K + tx], b = B[ty * N + col];
  for (int t = 0; t < K / T; ++t) {
    As[ty][tx] = a;
    Bs[ty][tx] = b;
    __syncthreads();
    if (t + 1 < K / T) {
      a = A[row * K + (t + 1) * T + tx];
      b = B[((t + 1) * T + ty) * N + col];
    }
    for (int k = 0; k < T; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[row * N + col] = sum;
}

// Each thread begins at another k.
//
// CHECK-LABEL: contraction "rotated"
// CHECK: index %m < 16 * gridDim.y
// CHECK: index %n < 16 * gridDim.x
// CHECK: index %k < 16 * floordiv(N, 16)
// CHECK: operand A = A[%m * N + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: output C[%m * N + %n]:f32 = acc
// CHECK: require blockDim.x == 16
// CHECK: require blockDim.y == 16
// CHECK: require N >= 16 * gridDim.x
// CHECK: require N >= 0
#pragma warpwright matmul
__global__ void rotated(const float *A, const float *B, float *C, int N) {
  __shared__ float As[T][T], Bs[T][T];
  PLACE
  for (int t = 0; t < N / T; ++t) {
    As[ty][tx] = A[row * N + t * T + tx];
    Bs[ty][tx] = B[(t * T + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < T; ++k) {
      int at = (k + tx) % T;
      sum += As[ty][at] * Bs[at][tx];
    }
    __syncthreads();
  }
  C[row * N + col] = sum;
}

// Filled by a loop of all threads, whatever their number is.
//
// CHECK-LABEL: contraction "by_all_threads"
// CHECK: index %m < min(32 * gridDim.y, M)
// CHECK: index %n < min(32 * gridDim.x, N)
// CHECK: index %k < K
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: output C[%m * N + %n]:f32 = acc
// CHECK: require blockDim.x == 32
// CHECK: require blockDim.y == 32
#pragma warpwright matmul
__global__ void by_all_threads(ARGS) {
  __shared__ float As[32 * 8], Bs[8 * 32];
  int id = threadIdx.y * blockDim.x + threadIdx.x;
  int threads = blockDim.x * blockDim.y;
  int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
  float sum = 0.f;
  for (int k0 = 0; k0 < K; k0 += 8) {
    for (int i = id; i < 32 * 8; i += threads) {
      int r = blockIdx.y * 32 + i / 8, c = k0 + i % 8;
      As[i] = r < M && c < K ? A[r * K + c] : 0.f;
    }
    for (int i = id; i < 8 * 32; i += threads) {
      int r = k0 + i / 32, c = blockIdx.x * 32 + i % 32;
      Bs[i] = r < K && c < N ? B[r * N + c] : 0.f;
    }
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      sum += As[threadIdx.y * 8 + k] * Bs[k * 32 + threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = sum;
}

// Offsets that move on by a step each, up to an end that is included.
//
// CHECK-LABEL: contraction "stepped<16>"
// CHECK: index %m < 16 * gridDim.y
// CHECK: index %n < 16 * gridDim.x
// CHECK: index %k < 16 * floordiv(widthA + 15, 16)
// CHECK: operand A = A[%m * widthA + %k]:f32
// CHECK: operand B = B[%k * widthB + %n]:f32
// CHECK: output C[%m * widthB + %n]:f32 = acc
// CHECK: require blockDim.x == 16
// CHECK: require blockDim.y == 16
// CHECK: require widthB >= 16 * gridDim.x
// CHECK: require widthA >= 0
template <int Width>
#pragma warpwright matmul
__global__ void stepped(float *C, const float *A, const float *B, int widthA,
                        int widthB) {
  int tx = threadIdx.x, ty = threadIdx.y;
  int first = widthA * Width * blockIdx.y, last = first + widthA - 1;
  float sum = 0;
  for (int a = first, b = Width * blockIdx.x; a <= last;
       a += Width, b += Width * widthB) {
    __shared__ float As[Width][Width];
    __shared__ float Bs[Width][Width];
    As[ty][tx] = A[a + widthA * ty + tx];
    Bs[ty][tx] = B[b + widthB * ty + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Width; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  int c = widthB * Width * blockIdx.y + Width * blockIdx.x;
  C[c + widthB * ty + tx] = sum;
}
template __global__ void stepped<16>(float *, const float *, const float *, int, int);

// Two columns of a thread, tiles by half2.
//
// CHECK-LABEL: contraction "pairs"
// CHECK: index %m < 32 * gridDim.y
// CHECK: index %n < 32 * gridDim.x
// CHECK: index %k < 32 * floordiv(K + 31, 32)
// CHECK: operand A = A[%m * K + %k]:f16
// CHECK: operand B = B[%k * N + %n]:f16
// CHECK: output C[%m * N + %n]:f16 = f16(acc)
// CHECK: require blockDim.x == 16
// CHECK: require blockDim.y == 32
// CHECK: require N >= 32 * gridDim.x
#pragma warpwright matmul
__global__ void pairs(const half *A, const half *B, half *C, int M, int N,
                      int K) {
  __shared__ half As[32][32], Bs[32][32];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 32 + ty, col = blockIdx.x * 32 + 2 * tx;
  float left = 0, right = 0;
  for (int t = 0; t < K; t += 32) {
    *reinterpret_cast<half2 *>(&As[ty][2 * tx]) =
        *reinterpret_cast<const half2 *>(&A[row * K + t + 2 * tx]);
    *reinterpret_cast<half2 *>(&Bs[ty][2 * tx]) =
        *reinterpret_cast<const half2 *>(&B[(t + ty) * N + col]);
    __syncthreads();
    for (int k = 0; k < 32; ++k) {
      left += __half2float(As[ty][k]) * __half2float(Bs[k][2 * tx]);
      right += __half2float(As[ty][k]) * __half2float(Bs[k][2 * tx + 1]);
    }
    __syncthreads();
  }
  C[row * N + col] = __float2half(left);
  C[row * N + col + 1] = __float2half(right);
}

// All weights, filled and read by loops that step over the threads of a block of
// any width.
//
// CHECK-LABEL: contraction "all_weights"
// CHECK: index %m < gridDim.x
// CHECK: index %n < N
// CHECK: index %k < K
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%n * K + %k]:f32
// CHECK-NOT: blockDim.x is not
// CHECK-NOT: shape of the tile
// CHECK: offsets
#pragma warpwright matmul
__global__ void all_weights(const float *A, const float *B, float *C, int K,
                            int N) {
  extern __shared__ float buffer[];
  for (int i = threadIdx.x; i < N * K; i += blockDim.x)
    buffer[i] = B[i];
  __syncthreads();
  for (int n = threadIdx.x; n < N; n += blockDim.x) {
    float sum = 0;
    for (int k = 0; k < K; ++k)
      sum += buffer[n * K + k] * A[blockIdx.x * K + k];
    C[blockIdx.x * N + n] = sum;
  }
}

// A remainder that is written out, of a thread's number and of a counter's.
//
// CHECK-LABEL: contraction "remainders_by_hand"
// CHECK: index %m < min(16 * gridDim.y, M)
// CHECK: index %n < min(16 * gridDim.x, N)
// CHECK: index %k < K{{$}}
#pragma warpwright matmul
__global__ void remainders_by_hand(const float *A, const float *B, float *C,
                                   int M, int N, int K) {
  __shared__ float As[16][16], Bs[16][16];
  const int id = threadIdx.x, ty = id / 16, tx = id - ty * 16;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float acc = 0;
  for (int t = 0; t < K; t += 16) {
    for (int i = id; i < 256; i += 256) {
      const int r = i / 16, c = i - 16 * (i / 16);
      const int m = blockIdx.y * 16 + r, n = blockIdx.x * 16 + c;
      As[r][c] = m < M && t + c < K ? A[m * K + t + c] : 0.0f;
      Bs[r][c] = t + r < K && n < N ? B[(t + r) * N + n] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}
