// Rows and columns of outputs in small tables.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.lifted 2>%t.declined
// RUN: FileCheck %s <%t.declined --implicit-check-not="is not rewritten"
// RUN: FileCheck %s --check-prefix=LIFTED <%t.lifted

// The rows and columns of a thread's outputs are in small tables: of an array that
// is computed, of one with constants, and of constant memory. In a fixed pattern
// they are expressions of the number of the output.
#define TABLES(NAME, MODIFIERS, ROWS, COLUMNS, COUNT)                          \
  __global__ void NAME(const float *A, const float *B, float *C, int N,        \
                       int K) {                                                \
    const int row = blockIdx.y * 32 + threadIdx.y;                             \
    const int col = blockIdx.x * 32 + 2 * threadIdx.x;                         \
    float sums[4] = {};                                                        \
    MODIFIERS int rows[4] = ROWS, columns[4] = COLUMNS;                        \
    THEN                                                                       \
    for (int k = 0; k < K; ++k)                                                \
      for (int e = 0; e < 4; ++e)                                              \
        sums[e] += A[(row + 16 * (e / 2)) * K + k] * B[k * N + col + e % 2];   \
    for (int e = 0; e < COUNT; ++e)                                            \
      C[(AT_ROW rows[e]) * N + AT_COLUMN columns[e]] = sums[e];                \
  }
#define LIST(...) {__VA_ARGS__}
#define THEN

// LIFTED-LABEL: contraction "table_of_places"
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED: output C[%m * N + %n]:f32 = acc
#define AT_ROW
#define AT_COLUMN
#pragma warpwright matmul
TABLES(table_of_places, , LIST(row, row, row + 16, row + 16),
       LIST(col, col + 1, col, col + 1), 4)

// Two outputs are stored to one element, and one element is left.
//
// CHECK: 'left_one' is not rewritten: 'rows' is a table from which an index chooses, and no formula of that index gives its elements; compute them instead [WW208]
#pragma warpwright matmul
TABLES(left_one, , LIST(row, row, row + 16, row),
       LIST(col, col + 1, col, col + 1), 4)

// There may be outputs behind the end of the tables.
//
// CHECK: 'behind_table' is not rewritten: {{.*}} [WW208]
#pragma warpwright matmul
TABLES(behind_table, , LIST(row, row, row + 16, row + 16),
       LIST(col, col + 1, col, col + 1), K % 6)

// One thread changes its table.
//
// CHECK: 'changed_table' is not rewritten: 'rows' is read here at an element that an earlier store may have changed [WW208]
#undef THEN
#define THEN if (threadIdx.x == 3) rows[1] = 0;
#pragma warpwright matmul
TABLES(changed_table, , LIST(row, row, row + 16, row + 16),
       LIST(col, col + 1, col, col + 1), 4)
#undef THEN
#define THEN

// Each iteration changes what a later one reads.
//
// CHECK: 'moving_table' is not rewritten: 'places' is read here at an element that an earlier iteration of the loop may have stored [WW208]
#pragma warpwright matmul
__global__ void moving_table(const float *A, const float *B, float *C, int N,
                             int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  int places[4] = {0, 1, 2, 3};
  float sum = 0.0f;
  for (int k = 0; k < K; k += 4)
    for (int e = 0; e < 4; ++e) {
      sum += A[row * K + k + places[e]] * B[(k + e) * N + col];
      places[(k / 4 + e) % 4] = 7;
    }
  C[row * N + col] = sum;
}

// LIFTED-LABEL: contraction "constant_table"
// LIFTED: output C[%m * N + %n]:f32 = acc
#undef AT_ROW
#undef AT_COLUMN
#define AT_ROW row +
#define AT_COLUMN col +
#pragma warpwright matmul
TABLES(constant_table, const, LIST(0, 0, 16, 16), LIST(0, 1, 0, 1), 4)

// The columns follow no rule.
//
// CHECK: 'crossed' is not rewritten: 'columns' is a table from which an index chooses, and no formula of that index gives its elements; compute them instead [WW208]
#pragma warpwright matmul
TABLES(crossed, const, LIST(0, 0, 16, 16), LIST(0, 1, 1, 0), 4)

// LIFTED-LABEL: contraction "table_in_constant_memory"
// LIFTED: output C[%m * N + %n]:f32 = acc
__constant__ const int rowsOf[2][2] = {{0, 0}, {16, 16}};
__constant__ const int columnsOf[2][2] = {{0, 1}, {0, 1}};
#undef AT_ROW
#undef AT_COLUMN
#define AT_ROW row + rowsOf[e / 2][e % 2] + 0 *
#define AT_COLUMN col + columnsOf[e / 2][e % 2] + 0 *
#pragma warpwright matmul
TABLES(table_in_constant_memory, const, LIST(0, 0, 0, 0), LIST(0, 0, 0, 0), 4)

// A table that the host may change is not known.
//
// CHECK: 'table_that_changes' is not rewritten: {{.*}}'changingRows', in constant memory{{.*}} [WW204]
__constant__ int changingRows[4] = {0, 0, 16, 16};
#undef AT_ROW
#define AT_ROW row + changingRows[e] + 0 *
#pragma warpwright matmul
TABLES(table_that_changes, const, LIST(0, 0, 0, 0), LIST(0, 0, 0, 0), 4)
