//===- RuntimeApiTest.cpp - The CUDA runtime API --------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimTest.h"

#include <numeric>
#include <string.h>

using namespace simtest;

namespace {

class RuntimeApiTest : public SimTest {
protected:
  /// An increment of every element, in a stream.
  void increment(int *x, void *stream) {
    EXPECT_EQ(launch(
                  {}, {16, 1, 1}, [=] { ++x[thread_x()]; }, 0, stream),
              cudaSuccess);
  }
};

TEST_F(RuntimeApiTest, copies_as_the_kind_says) {
  int *a = device_array<int>(16), *b = device_array<int>(16);
  int host[16], back[16] = {};
  std::iota(host, host + 16, 5);
  EXPECT_EQ(cudaMemcpy(a, host, 64, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(b, a, 64, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(back, b, 64, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(memcmp(host, back, 64), 0);
  EXPECT_EQ(cudaMemcpy(host, back, 64, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(back, a, 64, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(back, a, 64, cudaMemcpyKind(7)),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpy(nullptr, a, 64, cudaMemcpyDeviceToHost),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(nullptr, a, 0, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_TRUE(found.empty());
  EXPECT_EQ(cudaMemcpy(back, a + 1, 64, cudaMemcpyDeviceToHost),
            cudaErrorInvalidValue);
  only(Finding::global_bounds);
}

TEST_F(RuntimeApiTest, copies_rows_between_pitches) {
  void *pitched = nullptr;
  size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&pitched, &pitch, 12, 5), cudaSuccess);
  EXPECT_EQ(pitch % 256, 0u);
  char host[5][20], back[5][12];
  for (int i = 0; i != 100; ++i)
    host[i / 20][i % 20] = static_cast<char>(i);
  EXPECT_EQ(
      cudaMemcpy2D(pitched, pitch, host, 20, 12, 5, cudaMemcpyHostToDevice),
      cudaSuccess);
  EXPECT_EQ(
      cudaMemcpy2D(back, 12, pitched, pitch, 12, 5, cudaMemcpyDeviceToHost),
      cudaSuccess);
  EXPECT_EQ(back[4][11], 91);
  EXPECT_EQ(
      cudaMemcpy2D(back, 8, pitched, pitch, 12, 5, cudaMemcpyDeviceToHost),
      cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemset2D(pitched, pitch, 7, 3, 4), cudaSuccess);
  EXPECT_EQ(
      cudaMemcpy2D(back, 12, pitched, pitch, 12, 5, cudaMemcpyDeviceToHost),
      cudaSuccess);
  EXPECT_EQ(back[3][2], 7);
  EXPECT_EQ(back[3][3], 63);
  EXPECT_EQ(back[4][0], 80);
}

int symbol[4] = {1, 2, 3, 4};

TEST_F(RuntimeApiTest, copies_to_and_from_symbols) {
  const int nine = 9;
  int back[4];
  EXPECT_EQ(cudaMemcpyToSymbol(symbol, &nine, 4, 8), cudaSuccess);
  EXPECT_EQ(cudaMemcpyFromSymbol(back, symbol, 16), cudaSuccess);
  EXPECT_EQ(back[2], 9);
  EXPECT_EQ(back[3], 4);
  void *address = nullptr;
  EXPECT_EQ(cudaGetSymbolAddress(&address, symbol), cudaSuccess);
  EXPECT_EQ(cudaMemset(address, 0, 4), cudaSuccess);
  EXPECT_EQ(symbol[0], 0);
  EXPECT_EQ(cudaMemcpyToSymbol(back, &nine, 4), cudaErrorInvalidSymbol);
}

TEST_F(RuntimeApiTest, says_what_pointers_are) {
  int *a = device_array<int>(1);
  cudaPointerAttributes attributes;
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, a), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
  EXPECT_EQ(attributes.devicePointer, a);
  ASSERT_EQ(cudaPointerGetAttributes(&attributes, &attributes), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
}

TEST_F(RuntimeApiTest, names_its_errors) {
  EXPECT_STREQ(cudaGetErrorName(cudaErrorInvalidConfiguration),
               "cudaErrorInvalidConfiguration");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorIllegalAddress),
               "an illegal memory access was encountered");
  EXPECT_STREQ(cudaGetErrorString(cudaSuccess), "no error");
  EXPECT_STREQ(cudaGetErrorName(cudaError_t(12345)), "unrecognized error code");
}

TEST_F(RuntimeApiTest, is_an_h200) {
  cudaDeviceProp properties;
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_STREQ(properties.name, "NVIDIA H200");
  EXPECT_EQ(properties.major * 10 + properties.minor, 90);
  EXPECT_EQ(properties.multiProcessorCount, 132);
  EXPECT_EQ(properties.sharedMemPerBlockOptin, 232448u);
  EXPECT_EQ(cudaGetDeviceProperties(&properties, 1), cudaErrorInvalidDevice);
  int value = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&value,
                                   cudaDevAttrMaxSharedMemoryPerBlockOptin, 0),
            cudaSuccess);
  EXPECT_EQ(value, 232448);
  EXPECT_EQ(cudaRuntimeGetVersion(&value), cudaSuccess);
  EXPECT_EQ(value, 13000);
  EXPECT_EQ(cudaSetDevice(3), cudaErrorInvalidDevice);
}

TEST_F(RuntimeApiTest, times_what_lies_between_events) {
  cudaEvent_t start, end, untimed;
  ASSERT_EQ(cudaEventCreate(&start), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&end), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming),
            cudaSuccess);
  float ms = 0;
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, end),
            cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventRecord(start), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(end), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(end), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, end), cudaSuccess);
  EXPECT_GT(ms, 0);
  EXPECT_EQ(cudaEventRecord(untimed), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, untimed),
            cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventDestroy(start), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(start), cudaErrorInvalidResourceHandle);
}

//===----------------------------------------------------------------------===//
// Captures and graphs
//===----------------------------------------------------------------------===//

TEST_F(RuntimeApiTest, replays_what_was_captured) {
  int *x = device_array<int>(16);
  cudaStream_t stream;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal),
            cudaSuccess);
  static int host_calls;
  host_calls = 0;
  EXPECT_EQ(cudaMemsetAsync(x, 0, 64, stream), cudaSuccess);
  increment(x, stream);
  increment(x, stream);
  EXPECT_EQ(cudaLaunchHostFunc(
                stream, [](void *) { ++host_calls; }, nullptr),
            cudaSuccess);
  cudaStreamCaptureStatus status;
  EXPECT_EQ(cudaStreamIsCapturing(stream, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusActive);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(fetch(x, 16)[0], -1); // nothing has run
  size_t nodes = 0;
  EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &nodes), cudaSuccess);
  EXPECT_EQ(nodes, 4u);
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  for (int i = 0; i != 3; ++i)
    EXPECT_EQ(cudaGraphLaunch(exec, stream), cudaSuccess);
  EXPECT_EQ(fetch(x, 16), std::vector<int>(16, 2));
  EXPECT_EQ(host_calls, 3);
  EXPECT_EQ(cudaGraphExecDestroy(exec), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST_F(RuntimeApiTest, follows_events_into_other_streams) {
  int *x = device_array<int>(16);
  cudaMemset(x, 0, 64);
  cudaStream_t first, second;
  cudaEvent_t fork, join;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
  increment(x, first);
  cudaEventRecord(fork, first);
  EXPECT_EQ(cudaStreamWaitEvent(second, fork), cudaSuccess);
  increment(x, second);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaEventRecord(join, second);
  EXPECT_EQ(cudaStreamWaitEvent(first, join), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(first, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&exec, graph), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(exec, first), cudaSuccess);
  EXPECT_EQ(fetch(x, 16), std::vector<int>(16, 2));

  // Without the join, the second stream's work would be lost.
  cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
  increment(x, first);
  cudaEventRecord(fork, first);
  cudaStreamWaitEvent(second, fork);
  increment(x, second);
  EXPECT_EQ(cudaStreamEndCapture(first, &graph),
            cudaErrorStreamCaptureUnjoined);
  cudaGraphExecDestroy(exec);
}

TEST_F(RuntimeApiTest, forbids_under_capture_what_cannot_be_captured) {
  cudaStream_t stream;
  cudaGraph_t graph = nullptr;
  cudaStreamCreate(&stream);
  void *pointer = nullptr;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&pointer, 16), cudaSuccess);
  EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
  EXPECT_EQ(mode, cudaStreamCaptureModeRelaxed);
  EXPECT_EQ(cudaMalloc(&pointer, 16), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph),
            cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(graph, nullptr);

  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph),
            cudaErrorStreamCaptureInvalidated);

  // The legacy stream would wait for the capturing one.
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  EXPECT_EQ(cudaMemsetAsync(pointer, 0, 16), cudaErrorStreamCaptureImplicit);
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph),
            cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal),
            cudaErrorStreamCaptureUnsupported);
  cudaStreamDestroy(stream);
}

TEST_F(RuntimeApiTest, finds_the_driver_function_of_tensor_maps) {
  void *function = nullptr;
  cudaDriverEntryPointQueryResult status;
  EXPECT_EQ(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled",
                                             &function, 12000,
                                             cudaEnableDefault, &status),
            cudaSuccess);
  EXPECT_EQ(status, cudaDriverEntryPointSuccess);
  EXPECT_NE(function, nullptr);
  EXPECT_EQ(cudaGetDriverEntryPointByVersion("cuNoSuchThing", &function, 12000,
                                             cudaEnableDefault, &status),
            cudaSuccess);
  EXPECT_EQ(status, cudaDriverEntryPointSymbolNotFound);
}

} // namespace
