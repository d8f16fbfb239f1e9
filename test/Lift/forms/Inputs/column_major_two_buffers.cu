#include <cuda_runtime.h>
#include <cstring>
#define X(i, j) X[(i) + (j)*ldx]
#define Y(i, j) Y[(i) + (j)*ldy]
#define PX(i, j) px[(i) + (j)*ldx]
#define PY(i, j) py[(i) + (j)*ldy]
#define Z(i, j) Z[(i) + (j)*ldz]
#define sx(i, j) sx[((j) << 7) + (i)]
#define sy(i, j) sy[((j) << 7) + (i)]
#define QX(i, j) qx[((j) << 7) + (i)]
#define QY(i, j) qy[((j) << 7) + (i)]
#define axpy(v, u, s) v.x += u.x * s; v.y += u.y * s; v.z += u.z * s; v.w += u.w * s;
#define mix(v, al, u, be, o) v.x = al * u.x + be * o.x; v.y = al * u.y + be * o.y; v.z = al * u.z + be * o.z; v.w = al * u.w + be * o.w;
#define get(v, p) v = *((float4 *)(p));
#define put(p, v) *((float4 *)(p)) = v;
#pragma warpwright matmul
__global__ __launch_bounds__(256) void cm_eleven(int m, int n, int k, float al, float *X, float *Y, float be, float *Z) {
  int ldx = m, ldy = k, ldz = m;
  int t = threadIdx.x;
  int gx = blockIdx.x, gy = blockIdx.y;
  int warp = t >> 5;
  int lane = t & 31;
  int wr = warp & 3, wc = warp >> 2;
  int lr = lane & 3, lc = lane >> 2;
  int rb = (t & 1) << 2, cb = t >> 1;
  int step = ldx << 3;
  int rc = (wr << 5) + (lr << 3), cc = (wc << 6) + (lc << 3);
  int ra = (t & 31) << 2, ca = t >> 5;
  int tiles = k >> 3;
  X = &X((gx << 7), 0);
  Y = &Y(0, (gy << 7));
  Z = &Z((gx << 7), (gy << 7));
  __shared__ float sx[2][1024];
  __shared__ float sy[2][1024];
  float *qx, *qy;
  qx = (float *)sx;
  qy = (float *)sy;
  float4 a1[2], a2[2], b1[2], b2[2], c[16], r[16];
  float4 na, nb;
  float *px, *py;
  memset(r, 0, sizeof(r));
  get(na, &X(ra, ca))
  get(nb, &Y(rb, cb))
  ((float4 *)qx)[t] = na;
  QY(cb, rb) = nb.x;
  QY(cb, rb + 1) = nb.y;
  QY(cb, rb + 2) = nb.z;
  QY(cb, rb + 3) = nb.w;
  __syncthreads();
  get(a1[0], &QX(rc, 0))
  get(a2[0], &QX(rc + 4, 0))
  get(b1[0], &QY(cc, 0))
  get(b2[0], &QY(cc + 4, 0))
  for (int q = 0; q < tiles; q++) {
    int inc = (q + 1) % tiles;
    int offset = ((q + 1) & 1) << 10;
    px = X + inc * step;
    py = Y + inc * 8;
    get(na, &PX(ra, ca))
    get(nb, &PY(rb, cb))
#pragma unroll
    for (int d = 0; d < 8; d++) {
      int e = (d + 1) & 7;
      get(a1[(d + 1) & 1], &QX(rc, e))
      get(a2[(d + 1) & 1], &QX(rc + 4, e))
      get(b1[(d + 1) & 1], &QY(cc, e))
      get(b2[(d + 1) & 1], &QY(cc + 4, e))
axpy(r[0], a1[(d) & 1], b1[(d) & 1].x)
axpy(r[1], a2[(d) & 1], b1[(d) & 1].x)
axpy(r[2], a1[(d) & 1], b1[(d) & 1].y)
axpy(r[3], a2[(d) & 1], b1[(d) & 1].y)
axpy(r[4], a1[(d) & 1], b1[(d) & 1].z)
axpy(r[5], a2[(d) & 1], b1[(d) & 1].z)
axpy(r[6], a1[(d) & 1], b1[(d) & 1].w)
axpy(r[7], a2[(d) & 1], b1[(d) & 1].w)
axpy(r[8], a1[(d) & 1], b2[(d) & 1].x)
axpy(r[9], a2[(d) & 1], b2[(d) & 1].x)
axpy(r[10], a1[(d) & 1], b2[(d) & 1].y)
axpy(r[11], a2[(d) & 1], b2[(d) & 1].y)
axpy(r[12], a1[(d) & 1], b2[(d) & 1].z)
axpy(r[13], a2[(d) & 1], b2[(d) & 1].z)
axpy(r[14], a1[(d) & 1], b2[(d) & 1].w)
axpy(r[15], a2[(d) & 1], b2[(d) & 1].w)
    }
    qx = (float *)sx + offset;
    qy = (float *)sy + offset;
    ((float4 *)qx)[t] = na;
    QY(cb, rb) = nb.x;
    QY(cb, rb + 1) = nb.y;
    QY(cb, rb + 2) = nb.z;
    QY(cb, rb + 3) = nb.w;
    __syncthreads();
    get(a1[0], &QX(rc, 0))
    get(a2[0], &QX(rc + 4, 0))
    get(b1[0], &QY(cc, 0))
    get(b2[0], &QY(cc + 4, 0))
  }
get(c[0], &Z(rc, cc + 0))
get(c[1], &Z(rc + 4, cc + 0))
get(c[2], &Z(rc, cc + 1))
get(c[3], &Z(rc + 4, cc + 1))
get(c[4], &Z(rc, cc + 2))
get(c[5], &Z(rc + 4, cc + 2))
get(c[6], &Z(rc, cc + 3))
get(c[7], &Z(rc + 4, cc + 3))
get(c[8], &Z(rc, cc + 4))
get(c[9], &Z(rc + 4, cc + 4))
get(c[10], &Z(rc, cc + 5))
get(c[11], &Z(rc + 4, cc + 5))
get(c[12], &Z(rc, cc + 6))
get(c[13], &Z(rc + 4, cc + 6))
get(c[14], &Z(rc, cc + 7))
get(c[15], &Z(rc + 4, cc + 7))
mix(r[0], al, r[0], be, c[0])
mix(r[1], al, r[1], be, c[1])
mix(r[2], al, r[2], be, c[2])
mix(r[3], al, r[3], be, c[3])
mix(r[4], al, r[4], be, c[4])
mix(r[5], al, r[5], be, c[5])
mix(r[6], al, r[6], be, c[6])
mix(r[7], al, r[7], be, c[7])
mix(r[8], al, r[8], be, c[8])
mix(r[9], al, r[9], be, c[9])
mix(r[10], al, r[10], be, c[10])
mix(r[11], al, r[11], be, c[11])
mix(r[12], al, r[12], be, c[12])
mix(r[13], al, r[13], be, c[13])
mix(r[14], al, r[14], be, c[14])
mix(r[15], al, r[15], be, c[15])
put(&Z(rc, cc + 0), r[0])
put(&Z(rc + 4, cc + 0), r[1])
put(&Z(rc, cc + 1), r[2])
put(&Z(rc + 4, cc + 1), r[3])
put(&Z(rc, cc + 2), r[4])
put(&Z(rc + 4, cc + 2), r[5])
put(&Z(rc, cc + 3), r[6])
put(&Z(rc + 4, cc + 3), r[7])
put(&Z(rc, cc + 4), r[8])
put(&Z(rc + 4, cc + 4), r[9])
put(&Z(rc, cc + 5), r[10])
put(&Z(rc + 4, cc + 5), r[11])
put(&Z(rc, cc + 6), r[12])
put(&Z(rc + 4, cc + 6), r[13])
put(&Z(rc, cc + 7), r[14])
put(&Z(rc + 4, cc + 7), r[15])
}
#undef X
#undef Y
#undef Z
#define CDIV(a, b) ((a + b - 1) / b)
void run(int M, int N, int K, float al, float *A, float *B, float be, float *C) {
  dim3 b(256);
  dim3 g(CDIV(M, 128), CDIV(N, 128));
  cm_eleven<<<g, b>>>(M, N, K, al, A, B, be, C);
}
