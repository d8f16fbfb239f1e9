// Blocks numbered along x, in groups of eight rows of blocks: the order of
// Triton's tutorials. Each block of a grid of whole rows has a row and a column
// of its own.
#define T 16
#define GROUP 8

#define ARGS const float *a, const float *b, float *c, int m, int n, int k

#define KERNEL(Row, Column)                                                    \
  __shared__ float ta[T][T], tb[T][T];                                         \
  const int pid = blockIdx.x;                                                  \
  const int rows = (m + T - 1) / T, columns = (n + T - 1) / T;                 \
  const int in_group = GROUP * columns;                                        \
  const int first = pid / in_group * GROUP;                                    \
  const int height = min(rows - first, GROUP);                                 \
  const int block_row = Row, block_column = Column;                            \
  const int tx = threadIdx.x, ty = threadIdx.y;                                \
  const int row = block_row * T + ty, column = block_column * T + tx;          \
  float sum = 0.0f;                                                            \
  for (int k0 = 0; k0 < k; k0 += T) {                                          \
    ta[ty][tx] = row < m && k0 + tx < k ? a[row * k + k0 + tx] : 0.0f;         \
    tb[ty][tx] = column < n && k0 + ty < k ? b[(k0 + ty) * n + column] : 0.0f; \
    __syncthreads();                                                           \
    for (int l = 0; l < T; ++l)                                                \
      sum += ta[ty][l] * tb[l][tx];                                            \
    __syncthreads();                                                           \
  }                                                                            \
  if (row < m && column < n)                                                   \
    c[row * n + column] = sum;

#pragma warpwright matmul
__global__ void grouped(ARGS){
    KERNEL(first + pid % in_group % height, pid % in_group / height)}

// The columns are those of groups of eight rows, and so beyond the matrix in
// the last group if it has fewer.
#pragma warpwright matmul
__global__ void always_eight(ARGS){
    KERNEL(first + pid % in_group % height, pid % in_group / GROUP)}

// The number in the group is that in the grid.
#pragma warpwright matmul
__global__
    void of_grid(ARGS){KERNEL(first + pid % height, pid % in_group / height)}

// All groups begin at the first row.
#pragma warpwright matmul
__global__ void from_first(ARGS){
    KERNEL(pid % in_group % height, pid % in_group / height)}

// The last group does not end where the matrix does.
#pragma warpwright matmul
__global__ void exchanged(ARGS){
    KERNEL(first + pid % in_group / height, pid % in_group % height)}

#define LAUNCH(Kernel)                                                         \
  Kernel<<<(m + T - 1) / T *((n + T - 1) / T), dim3(T, T)>>>(a, b, c, m, n, k)

void launches(ARGS) {
  LAUNCH(grouped);
  LAUNCH(always_eight);
  LAUNCH(of_grid);
  LAUNCH(from_first);
  LAUNCH(exchanged);
}
