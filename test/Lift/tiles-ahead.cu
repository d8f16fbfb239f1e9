// Tiles that are loaded into registers while the previous one is multiplied, in
// kernels whose loops over vectors run once, as they do for the smaller of the
// usual tiles.

// RUN: not %warpwright rewrite --emit=contraction %s -- -std=c++20 %parse \
// RUN:   >%t.yes 2>%t.no
// RUN: FileCheck %s --implicit-check-not="is not rewritten" <%t.no
// RUN: FileCheck %s --check-prefix=LIFTED <%t.yes

#define ARGS const float *A, const float *B, float *C, int N, int K
#define VECTOR(X) (*reinterpret_cast<float4 *>(&(X)))
#define ELEMENTS(X) (*reinterpret_cast<const float4 *>(&(X)))

struct Settings {
  int Fill = 1;        // the buffer that is filled, from the one that is read
  bool Barrier = true; // after a buffer was filled
  int Fragment = 1;    // the fragment that is filled, from the one that is used
  bool InStep = true;  // the tile that is filled is the next one
};

/// A tile of Y by X outputs and K-depth D, with R by R of them in a thread.
template <int Y, int D, int X, int R, Settings S> __device__ void tiles(ARGS) {
  __shared__ float As[2][D][Y], Bs[2][D][X];
  constexpr int Width = X / R, Threads = Width * (Y / R);
  const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * Width + tx;
  const int row = tid / (D / 4), depth = tid % (D / 4) * 4;
  const int deep = tid / (X / 4), column = tid % (X / 4) * 4;
  constexpr int Rows = Threads / (D / 4), Deep = Threads / (X / 4);
  float sum[R][R] = {}, a[2][R], b[2][R];
  float nextA[Y * D / Threads], nextB[D * X / Threads];
  A += blockIdx.y * Y * K, B += blockIdx.x * X;
  for (int i = 0; i < Y; i += Rows) {
    float *v = &nextA[i / Rows * 4];
    VECTOR(v[0]) = ELEMENTS(A[(row + i) * K + depth]);
    for (int j = 0; j < 4; ++j)
      As[0][depth + j][row + i] = v[j];
  }
  for (int i = 0; i < D; i += Deep)
    VECTOR(Bs[0][deep + i][column]) = ELEMENTS(B[(deep + i) * N + column]);
  __syncthreads();
  for (int i = 0; i < R; i += 4)
    VECTOR(a[0][i]) = VECTOR(As[0][0][R * ty + i]);
  for (int i = 0; i < R; i += 4)
    VECTOR(b[0][i]) = VECTOR(Bs[0][0][R * tx + i]);
  int fill = 1, k0 = 0;
  do {
    k0 += D;
    if (k0 < K) {
      const int from = S.InStep ? k0 : k0 - D;
      for (int i = 0; i < Y; i += Rows)
        VECTOR(nextA[i / Rows * 4]) = ELEMENTS(A[(row + i) * K + depth + from]);
      for (int i = 0; i < D; i += Deep)
        VECTOR(nextB[i / Deep * 4]) =
            ELEMENTS(B[(from + deep + i) * N + column]);
    }
    const int read = fill ^ 1;
    for (int k = 0; k < D - 1; ++k) {
      const int now = k % 2, next = (k + S.Fragment) % 2;
      for (int i = 0; i < R; i += 4)
        VECTOR(a[next][i]) = VECTOR(As[read][k + 1][R * ty + i]);
      for (int i = 0; i < R; i += 4)
        VECTOR(b[next][i]) = VECTOR(Bs[read][k + 1][R * tx + i]);
      for (int y = 0; y < R; ++y)
        for (int x = 0; x < R; ++x)
          sum[y][x] += a[now][y] * b[now][x];
    }
    if (k0 < K) {
      const int to = S.Fill ? fill : read;
      for (int i = 0; i < Y; i += Rows)
        for (int j = 0; j < 4; ++j)
          As[to][depth + j][row + i] = nextA[i / Rows * 4 + j];
      for (int i = 0; i < D; i += Deep)
        VECTOR(Bs[to][deep + i][column]) = VECTOR(nextB[i / Deep * 4]);
      if (S.Barrier)
        __syncthreads();
      fill ^= 1;
    }
    for (int i = 0; i < R; i += 4)
      VECTOR(a[0][i]) = VECTOR(As[read ^ 1][0][R * ty + i]);
    for (int i = 0; i < R; i += 4)
      VECTOR(b[0][i]) = VECTOR(Bs[read ^ 1][0][R * tx + i]);
    for (int y = 0; y < R; ++y)
      for (int x = 0; x < R; ++x)
        sum[y][x] += a[1][y] * b[1][x];
  } while (k0 < K);
  for (int y = 0; y < R; ++y)
    for (int x = 0; x < R; ++x)
      C[(Y * blockIdx.y + ty * R + y) * N + X * blockIdx.x + tx * R + x] =
          sum[y][x];
}

// LIFTED-LABEL: contraction "small_tiles" {
// LIFTED: index %m < 64 * gridDim.y
// LIFTED: index %n < 64 * gridDim.x
// LIFTED: index %k < 16 * floordiv(K - 1, 16) + 16
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED: require blockDim.x == 16
// LIFTED: require blockDim.y == 16
#pragma warpwright matmul
__global__ void small_tiles(ARGS) {
  tiles<64, 16, 64, 4, Settings{}>(A, B, C, N, K);
}

// LIFTED-LABEL: contraction "one_vector_a_thread" {
// LIFTED: index %k < 8 * floordiv(K - 1, 8) + 8
#pragma warpwright matmul
__global__ void one_vector_a_thread(ARGS) {
  tiles<32, 8, 32, 4, Settings{}>(A, B, C, N, K);
}

// Which thread fills which element follows from the block alone, `tid / 8`
// being `ty` where it has eight threads along x.
//
// LIFTED-LABEL: contraction "block_of_64" {
// LIFTED: index %m < 32 * gridDim.y
// LIFTED: index %k < 32 * floordiv(K - 1, 32) + 32
// LIFTED: require blockDim.x == 8
// LIFTED: require blockDim.y == 8
#pragma warpwright matmul
__global__ void block_of_64(ARGS) {
  tiles<32, 32, 32, 4, Settings{}>(A, B, C, N, K);
}

// The buffer that others still read.
//
// CHECK: 'same_buffer' is not rewritten: {{.*}} [WW221]
#pragma warpwright matmul
__global__ void same_buffer(ARGS) {
  tiles<32, 8, 32, 4, Settings{.Fill = 0}>(A, B, C, N, K);
}

// CHECK: 'no_barrier' is not rewritten: {{.*}} [WW22{{[0-9]}}]
#pragma warpwright matmul
__global__ void no_barrier(ARGS) {
  tiles<32, 8, 32, 4, Settings{.Barrier = false}>(A, B, C, N, K);
}

// The fragment that is still to be multiplied.
//
// CHECK: 'same_fragment' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void same_fragment(ARGS) {
  tiles<64, 16, 64, 4, Settings{.Fragment = 2}>(A, B, C, N, K);
}

// The first tile twice, and not the last one.
//
// CHECK: 'tile_before' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void tile_before(ARGS) {
  tiles<64, 16, 64, 4, Settings{.InStep = false}>(A, B, C, N, K);
}

// A loop that its only test leaves in the middle: the compiler lets `if (more)`
// leave the loop, whose end asks the same.
template <bool Same, bool Rest> __device__ void middle(ARGS) {
  __shared__ float As[2][8][64], Bs[2][8][64];
  const int tid = threadIdx.x, tx = tid % 8, ty = tid / 8;
  float sum[8][8] = {}, a[8], b[8];
  A += (blockIdx.y * 64 + tid) * K, B += blockIdx.x * 64 + tid;
  for (int i = 0; i < 8; ++i)
    As[0][i][tid] = A[i], Bs[0][i][tid] = B[i * N];
  __syncthreads();
  int now = 0, k0 = 0;
  do {
    k0 += 8;
    const bool more = Same ? k0 < K : k0 + 8 < K;
    if (more)
      for (int i = 0; i < 8; ++i)
        a[i] = A[k0 + i], b[i] = B[(k0 + i) * N];
    for (int k = 0; k < 8; ++k)
      for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x)
          sum[y][x] += As[now][k][ty * 8 + y] * Bs[now][k][tx * 8 + x];
    if (more) {
      now ^= 1;
      for (int i = 0; i < 8; ++i)
        As[now][i][tid] = a[i], Bs[now][i][tid] = b[i];
      __syncthreads();
      if (Rest)
        for (int x = 0; x < 8; ++x)
          sum[0][x] += As[now][0][ty * 8] * Bs[now][0][tx * 8 + x];
    }
  } while (k0 < K);
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x)
      C[(blockIdx.y * 64 + ty * 8 + y) * N + blockIdx.x * 64 + tx * 8 + x] =
          sum[y][x];
}

// LIFTED-LABEL: contraction "test_in_the_middle" {
// LIFTED: index %m < 64 * gridDim.y
// LIFTED: index %k < 8 * floordiv(K - 1, 8) + 8
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: require floordiv(K - 1, 8) + 1 >= 1
#pragma warpwright matmul
__global__ void test_in_the_middle(ARGS) { middle<true, false>(A, B, C, N, K); }

// The last tile but one is multiplied again in place of the last one.
//
// CHECK: 'other_test' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void other_test(ARGS) { middle<false, false>(A, B, C, N, K); }

// What is added after the test is added once less than the rest.
//
// CHECK: 'added_after_the_test' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void added_after_the_test(ARGS) {
  middle<true, true>(A, B, C, N, K);
}

// One half of the threads fills one tile, and the other half the other one,
// with numbers of their own.
template <int First> __device__ void halves(ARGS) {
  __shared__ float As[8][64], Bs[8][64];
  const int t = threadIdx.x, tx = t % 16, ty = t / 16;
  const int row = blockIdx.y * 64, column = blockIdx.x * 64;
  float sum[4][4] = {};
  for (int k0 = 0; k0 < K; k0 += 8) {
    if (t < 128) {
      const int y = t / 2, depth = t % 2 * 4;
      const float4 v = ELEMENTS(A[(row + y) * K + k0 + depth]);
      As[depth][y] = v.x, As[depth + 1][y] = v.y;
      As[depth + 2][y] = v.z, As[depth + 3][y] = v.w;
    } else {
      const int u = t - First, depth = u / 16, x = u % 16 * 4;
      VECTOR(Bs[depth][x]) = ELEMENTS(B[(k0 + depth) * N + column + x]);
    }
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x)
          sum[y][x] += As[k][ty * 4 + y] * Bs[k][tx * 4 + x];
    __syncthreads();
  }
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x)
      C[(row + ty * 4 + y) * N + column + tx * 4 + x] = sum[y][x];
}

// LIFTED-LABEL: contraction "halves_of_the_block" {
// LIFTED: index %m < 64 * gridDim.y
// LIFTED: index %k < 8 * floordiv(K + 7, 8)
// LIFTED: require blockDim.x == 256
#pragma warpwright matmul
__global__ void halves_of_the_block(ARGS) { halves<128>(A, B, C, N, K); }

// The first row of B's tile is that of no thread.
//
// CHECK: 'row_left_out' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void row_left_out(ARGS) { halves<112>(A, B, C, N, K); }

// Two vectors of a fragment, half a tile apart, in buffers of one array.
template <int Apart, bool Other> __device__ void apart(ARGS) {
  __shared__ float shared[4 * 8 * 128];
  float *As = shared, *Bs = shared + 2 * 8 * 128;
  const int t = threadIdx.x, tx = t % 16, ty = t / 16;
  const int y = t / 2, depth = t % 2 * 4, deep = t / 32, x = t % 32 * 4;
  const float *fromA = A + (blockIdx.y * 128 + y) * K + depth;
  const float *fromB = B + deep * N + blockIdx.x * 128 + x;
  float sum[8][8] = {};
  float4 a = ELEMENTS(*fromA), b = ELEMENTS(*fromB);
  As[depth * 128 + y] = a.x, As[(depth + 1) * 128 + y] = a.y;
  As[(depth + 2) * 128 + y] = a.z, As[(depth + 3) * 128 + y] = a.w;
  VECTOR(Bs[deep * 128 + x]) = b;
  __syncthreads();
  int now = 0;
  for (int k0 = 1; k0 <= K / 8; ++k0) {
    if (k0 < K / 8)
      a = ELEMENTS(fromA[k0 * 8]), b = ELEMENTS(fromB[k0 * 8 * N]);
    const float *readA = As + now * 1024, *readB = Bs + now * 1024;
    for (int k = 0; k < 8; ++k) {
      float fa[8], fb[8];
      VECTOR(fa[0]) = ELEMENTS(readA[k * 128 + ty * 4]);
      VECTOR(fa[4]) = ELEMENTS(readA[k * 128 + Apart + ty * 4]);
      VECTOR(fb[0]) = ELEMENTS(readB[k * 128 + tx * 4]);
      VECTOR(fb[4]) = ELEMENTS(readB[k * 128 + 64 + tx * 4]);
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
          sum[i][j] += fa[i] * fb[j];
    }
    now = Other ? 1 - now : now;
    if (k0 < K / 8) {
      float *writeA = As + now * 1024, *writeB = Bs + now * 1024;
      writeA[depth * 128 + y] = a.x, writeA[(depth + 1) * 128 + y] = a.y;
      writeA[(depth + 2) * 128 + y] = a.z, writeA[(depth + 3) * 128 + y] = a.w;
      VECTOR(writeB[deep * 128 + x]) = b;
      __syncthreads();
    }
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      C[(blockIdx.y * 128 + i / 4 * 64 + ty * 4 + i % 4) * N +
        blockIdx.x * 128 + j / 4 * 64 + tx * 4 + j % 4] = sum[i][j];
}

// LIFTED-LABEL: contraction "vectors_apart" {
// LIFTED: index %m < 128 * gridDim.y
// LIFTED: index %n < 128 * gridDim.x
// LIFTED: index %k < 8 * floordiv(K, 8)
#pragma warpwright matmul
__global__ void vectors_apart(ARGS) { apart<64, true>(A, B, C, N, K); }

// The rows that are stored are not those that are read.
//
// CHECK: 'rows_of_others' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void rows_of_others(ARGS) { apart<32, true>(A, B, C, N, K); }

// CHECK: 'one_buffer' is not rewritten: {{.*}} [WW221]
#pragma warpwright matmul
__global__ void one_buffer(ARGS) { apart<64, false>(A, B, C, N, K); }

// The pointer steps by a number that is zero where there is no next tile. The
// last tile is then fetched once more, and stored to where it is not read.
#define CHOSEN_STEP(Name, More)                                                \
  __global__ void Name(const float *A, const float *B, float *C, int N,        \
                       int K) {                                                \
    __shared__ float As[16][16], Bs[16][16];                                   \
    const int x = threadIdx.x, y = threadIdx.y;                                \
    A += (blockIdx.y * 16 + y) * K + x;                                        \
    B += y * N + blockIdx.x * 16 + x;                                          \
    float a = *A, b = *B, acc = 0.0f;                                          \
    As[y][x] = a;                                                              \
    Bs[y][x] = b;                                                              \
    __syncthreads();                                                           \
    for (int k0 = 0; k0 < K; k0 += 16) {                                       \
      const int step = More ? 16 : 0;                                          \
      A += step;                                                               \
      B += step * N;                                                           \
      a = *A;                                                                  \
      b = *B;                                                                  \
      for (int k = 0; k < 16; ++k)                                             \
        acc += As[y][k] * Bs[k][x];                                            \
      __syncthreads();                                                         \
      As[y][x] = a;                                                            \
      Bs[y][x] = b;                                                            \
      __syncthreads();                                                         \
    }                                                                          \
    C[(blockIdx.y * 16 + y) * N + blockIdx.x * 16 + x] = acc;                  \
  }

// LIFTED-LABEL: contraction "chosen_step"
// LIFTED: index %k < 16 * floordiv(K + 15, 16)
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED: require floordiv(K + 15, 16) >= 1 : "the loop over tiles would run no iteration"
#pragma warpwright matmul
CHOSEN_STEP(chosen_step, k0 + 16 < K)

// The last tile would be the one before it.
//
// CHECK: 'stops_early' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
CHOSEN_STEP(stops_early, k0 + 32 < K)

// CHECK: 'never_stops_once' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
CHOSEN_STEP(never_stops_once, k0 != 32)

// The next tile of B is loaded into a vector if there is one: as a vector where
// it fits, and element by element at the ends of rows.
template <int First, int From, int Room>
__device__ float4 four(const float *B, int k, int n, int N, int K) {
  if (k < K && n + 3 < N)
    return *reinterpret_cast<const float4 *>(B + k * N + n + First);
  float v[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int i = 0; i < 4; ++i)
    if (k < K && n + i + Room < N)
      v[i] = B[k * N + n + i + From];
  return make_float4(v[0], v[1], v[2], v[3]);
}

template <int First, int From, int Room>
__device__ void fitting(const float *A, const float *B, float *C, int M, int N,
                        int K) {
  __shared__ float As[2][16][17], Bs[2][16][16];
  const int t = threadIdx.x, r = t / 4, c = t % 4 * 4;
  const int m = blockIdx.y * 16 + r, n = blockIdx.x * 16 + c;
  auto store = [&](int b, float4 v, int k0) {
    Bs[b][r][c] = v.x;
    Bs[b][r][c + 1] = v.y;
    Bs[b][r][c + 2] = v.z;
    Bs[b][r][c + 3] = v.w;
    for (int i = 0; i < 4; ++i)
      As[b][r][c + i] = m < M && k0 + c + i < K ? A[m * K + k0 + c + i] : 0.0f;
  };
  float s[4] = {};
  store(0, four<0, 0, 0>(B, r, n, N, K), 0);
  __syncthreads();
  const int tiles = (K + 15) / 16;
  for (int q = 0; q < tiles; ++q) {
    const bool more = q + 1 < tiles;
    float4 next = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (more)
      next = four<First, From, Room>(B, (q + 1) * 16 + r, n, N, K);
    for (int k = 0; k < 16; ++k)
      for (int j = 0; j < 4; ++j)
        s[j] += As[q & 1][r][k] * Bs[q & 1][k][c + j];
    if (more)
      store((q & 1) ^ 1, next, (q + 1) * 16);
    __syncthreads();
  }
  for (int j = 0; j < 4; ++j)
    if (m < M && n + j < N)
      C[m * N + n + j] = s[j];
}

#define SIZES const float *A, const float *B, float *C, int M, int N, int K

// LIFTED-LABEL: contraction "vector_that_fits"
// LIFTED: index %k < K
// LIFTED: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void vector_that_fits(SIZES) { fitting<0, 0, 0>(A, B, C, M, N, K); }

// The vector, or what is loaded element by element, begins one column later
// than in the first tile; the last column is left out.
//
// CHECK: 'vector_of_others' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void vector_of_others(SIZES) { fitting<1, 0, 0>(A, B, C, M, N, K); }

// CHECK: 'elements_of_others' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void elements_of_others(SIZES) {
  fitting<0, 1, 0>(A, B, C, M, N, K);
}

// CHECK: 'without_last_column' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void without_last_column(SIZES) {
  fitting<0, 0, 1>(A, B, C, M, N, K);
}

// Registers that are loaded in rows of the matrix alone, and hold elsewhere what
// they held before the loop.
enum class Loads { InRow, BeforeEnd, ByFlag };
template <Loads When, int Missing = 0>
__device__ void in_rows(const float *A, const float *B, const int *flags,
                        float *C, int M, int N, int K) {
  __shared__ float As[2][8][9], Bs[2][8][9];
  const int x = threadIdx.x, y = threadIdx.y, m = blockIdx.y * 8 + y;
  const int n = blockIdx.x * 8;
  const float *a = A + m * K + x, *b = B + (n + y) * K + x;
  float s = 0.0f, av = 0.0f, bv = 0.0f;
  int buffer = 0;
  if (m + Missing < M && (When != Loads::ByFlag || flags[y] != 0))
    av = *a;
  if (n + y < N)
    bv = *b;
  As[0][y][x] = av;
  Bs[0][y][x] = bv;
  __syncthreads();
  for (int k = 0; k < K; k += 8) {
    const bool more = k + 8 < K;
    if (more) {
      const bool row = m < M;
      if (When == Loads::InRow      ? row
          : When == Loads::BeforeEnd ? row && k + 8 + x < K
                                     : row && flags[y] != 0)
        av = a[k + 8];
      if (n + y < N)
        bv = b[k + 8];
    }
    for (int i = 0; i < 8; ++i)
      s += As[buffer][y][i] * Bs[buffer][x][i];
    if (more) {
      As[buffer ^ 1][y][x] = av;
      Bs[buffer ^ 1][y][x] = bv;
      __syncthreads();
      buffer ^= 1;
    }
  }
  if (m < M && n + x < N)
    C[m * N + n + x] = s;
}

#define FLAGGED                                                                \
  const float *A, const float *B, const int *flags, float *C, int M, int N,    \
      int K

// LIFTED-LABEL: contraction "keeps_zero"
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%n * K + %k]:f32
#pragma warpwright matmul
__global__ void keeps_zero(FLAGGED) {
  in_rows<Loads::InRow>(A, B, flags, C, M, N, K);
}

// Behind the end of a row the register holds an element of the last tile.
//
// CHECK: 'keeps_last_tile' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void keeps_last_tile(FLAGGED) {
  in_rows<Loads::BeforeEnd>(A, B, flags, C, M, N, K);
}

// Not every iteration need find the same flag.
//
// CHECK: 'keeps_by_flag' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void keeps_by_flag(FLAGGED) {
  in_rows<Loads::ByFlag>(A, B, flags, C, M, N, K);
}

// The first tile lacks a row that the others have.
//
// CHECK: 'first_without_row' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void first_without_row(FLAGGED) {
  in_rows<Loads::InRow, 1>(A, B, flags, C, M, N, K);
}

// A ring of three tiles. At the end its last tile is fetched again, and not
// read.
template <int First, int Last, int Read>
__device__ void ring(const float *A, const float *B, float *C, int N, int K) {
  __shared__ float As[3][8][8], Bs[3][8][8];
  const int x = threadIdx.x, y = threadIdx.y, tiles = K / 8;
  const int m = blockIdx.y * 8 + y, n = blockIdx.x * 8 + x;
  float s = 0.0f;
  auto load = [&](int tile, int b) {
    As[b][y][x] = A[m * K + tile * 8 + x];
    Bs[b][y][x] = B[(tile * 8 + y) * N + n];
  };
  load(0, 0);
  load(First, 1);
  for (int t = 0; t < tiles; ++t) {
    __syncthreads();
    int next = t + 2;
    if (next >= tiles - Last)
      next = tiles - Last - 1;
    load(next, (t + 2) % 3);
    for (int k = 0; k < 8; ++k)
      s += As[(t + Read) % 3][y][k] * Bs[(t + Read) % 3][k][x];
  }
  C[m * N + n] = s;
}

// LIFTED-LABEL: contraction "last_again"
// LIFTED: index %k < 8 * floordiv(K, 8)
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void last_again(ARGS) { ring<1, 0, 0>(A, B, C, N, K); }

// CHECK: 'second_is_another' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void second_is_another(ARGS) { ring<2, 0, 0>(A, B, C, N, K); }

// CHECK: 'last_but_one_again' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void last_but_one_again(ARGS) { ring<1, 1, 0>(A, B, C, N, K); }

// The last iteration reads what was fetched again.
//
// CHECK: 'reads_again' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void reads_again(ARGS) { ring<1, 0, 1>(A, B, C, N, K); }
