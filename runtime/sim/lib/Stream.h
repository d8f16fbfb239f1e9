//===- Stream.h - Errors, streams, events and captures ----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that is submitted to a stream runs to its end at once, which is
// one of the orders that CUDA allows; under stream capture it becomes a node of
// a graph. Errors are cudaError_t as plain numbers.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_LIB_STREAM_H
#define WARPWRIGHT_SIM_LIB_STREAM_H

#include "Graph.h"
#include "Launch.h"

#include <chrono>

struct CUstream_st;

namespace warpwright {
namespace sim {

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// Remembers an error of this host thread for cudaGetLastError; 0 is none.
/// Returns it.
int set_last_error(int error);
int peek_last_error();
int take_last_error();
/// What device code did to the device: every later call fails with it. It is
/// noticed at the next call that would notice it on a device.
void set_sticky_error(int error);
/// That error, for a call that notices it; 0: none.
int notice_sticky_error();
/// That error once it was noticed, for calls that do not look.
int noticed_sticky_error();
void clear_errors();

//===----------------------------------------------------------------------===//
// Captures
//===----------------------------------------------------------------------===//

/// A capture under way: the streams that take part, and the graph so far.
struct Capture {
  uint64_t id = 0;
  int mode = 0; ///< cudaStreamCaptureMode
  std::thread::id thread;
  CUstream_st *origin = nullptr;
  bool invalidated = false;
  std::unique_ptr<CUgraph_st> graph;
};

/// How this host thread wants captures to treat calls that they cannot contain
/// (cudaThreadExchangeStreamCaptureMode).
int &thread_capture_mode();
/// For calls such as cudaMalloc that a capture forbids: the error, having
/// invalidated the captures; 0: no capture minds.
int forbid_during_capture();
/// For calls that wait for the whole device: any capture minds.
int forbid_during_any_capture();
/// For work on the legacy stream, which waits for all blocking streams.
int forbid_implicit_dependency(const CUstream_st &stream);

} // namespace sim
} // namespace warpwright

struct CUstream_st {
  unsigned flags = 0;
  int priority = 0;
  uint64_t id = 0;
  bool legacy = false;
  /// While it takes part in a capture: which, and the nodes that what comes
  /// next depends on.
  std::shared_ptr<warpwright::sim::Capture> capture;
  std::vector<CUgraphNode_st *> frontier;
};

struct CUevent_st {
  unsigned flags = 0;
  bool recorded = false;
  std::chrono::steady_clock::time_point time;
  /// If it was recorded under capture.
  std::weak_ptr<warpwright::sim::Capture> capture;
  std::vector<CUgraphNode_st *> frontier;
};

namespace warpwright {
namespace sim {

/// The stream behind a handle, which may be one of the special ones; null: no
/// stream of ours.
CUstream_st *find_stream(void *handle);
CUstream_st *make_stream(unsigned flags, int priority);
bool destroy_stream(CUstream_st *stream);
bool is_event(const CUevent_st *event);
CUevent_st *make_event(unsigned flags);
void destroy_event(CUevent_st *event);

int begin_capture(CUstream_st &stream, int mode);
int end_capture(CUstream_st &stream, CUgraph_st **graph);

/// Runs an operation now, or records it if the stream is being captured. A
/// cudaError_t.
int submit(void *stream, std::unique_ptr<CUgraphNode_st> node);
int submit_kernel(const BoundKernel &kernel, const LaunchConfig &config);

} // namespace sim
} // namespace warpwright

#endif // WARPWRIGHT_SIM_LIB_STREAM_H
