//===- Stream.cpp - Errors, streams, events and captures ------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stream.h"

#include <algorithm>
#include <cuda_runtime_api.h>
#include <set>

using namespace warpwright::sim;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

namespace {
thread_local int last_error = 0;
std::atomic<int> sticky{0};
std::atomic<bool> noticed{false};
} // namespace

int warpwright::sim::set_last_error(int error) {
  if (error)
    last_error = error;
  return error;
}

int warpwright::sim::peek_last_error() {
  if (const int error = noticed_sticky_error())
    return error;
  return last_error;
}

int warpwright::sim::take_last_error() {
  const int error = peek_last_error();
  last_error = 0;
  return error;
}

void warpwright::sim::set_sticky_error(int error) {
  int none = 0;
  sticky.compare_exchange_strong(none, error);
}

int warpwright::sim::notice_sticky_error() {
  const int error = sticky.load();
  if (error)
    noticed.store(true);
  return error;
}

int warpwright::sim::noticed_sticky_error() {
  return noticed.load() ? sticky.load() : 0;
}

void warpwright::sim::clear_errors() {
  sticky.store(0);
  noticed.store(false);
  last_error = 0;
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

namespace {
struct Registry {
  std::recursive_mutex mutex;
  CUstream_st legacy, per_thread;
  std::set<CUstream_st *> streams;
  std::set<const CUevent_st *> events;
  std::vector<std::weak_ptr<Capture>> captures;
  uint64_t next_id = 3;

  Registry() {
    legacy.legacy = true;
    legacy.id = 1;
    per_thread.id = 2;
  }
  /// Those that have not ended.
  std::vector<std::shared_ptr<Capture>> active() {
    std::vector<std::shared_ptr<Capture>> result;
    for (const std::weak_ptr<Capture> &weak : captures)
      if (std::shared_ptr<Capture> capture = weak.lock())
        result.push_back(std::move(capture));
    captures.assign(result.begin(), result.end());
    return result;
  }
};
Registry &registry() {
  static Registry *registry = new Registry;
  return *registry;
}
using Lock = std::lock_guard<std::recursive_mutex>;
} // namespace

CUstream_st *warpwright::sim::find_stream(void *handle) {
  Registry &r = registry();
  if (!handle || handle == cudaStreamLegacy)
    return &r.legacy;
  if (handle == cudaStreamPerThread)
    return &r.per_thread;
  Lock lock(r.mutex);
  auto *stream = static_cast<CUstream_st *>(handle);
  return r.streams.count(stream) ? stream : nullptr;
}

CUstream_st *warpwright::sim::make_stream(unsigned flags, int priority) {
  Registry &r = registry();
  Lock lock(r.mutex);
  auto *stream = new CUstream_st;
  stream->flags = flags;
  stream->priority = priority;
  stream->id = r.next_id++;
  r.streams.insert(stream);
  return stream;
}

bool warpwright::sim::destroy_stream(CUstream_st *stream) {
  Registry &r = registry();
  Lock lock(r.mutex);
  if (!r.streams.erase(stream))
    return false;
  delete stream;
  return true;
}

CUevent_st *warpwright::sim::make_event(unsigned flags) {
  Registry &r = registry();
  Lock lock(r.mutex);
  auto *event = new CUevent_st;
  event->flags = flags;
  r.events.insert(event);
  return event;
}

bool warpwright::sim::is_event(const CUevent_st *event) {
  Registry &r = registry();
  Lock lock(r.mutex);
  return r.events.count(event) != 0;
}

void warpwright::sim::destroy_event(CUevent_st *event) {
  Registry &r = registry();
  Lock lock(r.mutex);
  r.events.erase(event);
  delete event;
}

//===----------------------------------------------------------------------===//
// Captures
//===----------------------------------------------------------------------===//

int &warpwright::sim::thread_capture_mode() {
  static thread_local int mode = cudaStreamCaptureModeGlobal;
  return mode;
}

int warpwright::sim::forbid_during_capture() {
  Registry &r = registry();
  Lock lock(r.mutex);
  const int mode = thread_capture_mode();
  if (mode == cudaStreamCaptureModeRelaxed)
    return 0;
  int error = 0;
  for (const std::shared_ptr<Capture> &capture : r.active()) {
    const bool own = capture->thread == std::this_thread::get_id();
    const bool minds = (own && capture->mode != cudaStreamCaptureModeRelaxed) ||
                       (mode == cudaStreamCaptureModeGlobal &&
                        capture->mode == cudaStreamCaptureModeGlobal);
    if (!minds)
      continue;
    capture->invalidated = true;
    error = cudaErrorStreamCaptureUnsupported;
  }
  return error;
}

int warpwright::sim::forbid_during_any_capture() {
  Registry &r = registry();
  Lock lock(r.mutex);
  int error = 0;
  for (const std::shared_ptr<Capture> &capture : r.active()) {
    capture->invalidated = true;
    error = cudaErrorStreamCaptureUnsupported;
  }
  return error;
}

int warpwright::sim::forbid_implicit_dependency(const CUstream_st &stream) {
  if (!stream.legacy)
    return 0;
  Registry &r = registry();
  Lock lock(r.mutex);
  int error = 0;
  for (const std::shared_ptr<Capture> &capture : r.active())
    if (!(capture->origin->flags & cudaStreamNonBlocking)) {
      capture->invalidated = true;
      error = cudaErrorStreamCaptureImplicit;
    }
  return error;
}

int warpwright::sim::begin_capture(CUstream_st &stream, int mode) {
  if (stream.legacy)
    return cudaErrorStreamCaptureUnsupported;
  if (stream.capture)
    return cudaErrorIllegalState;
  Registry &r = registry();
  Lock lock(r.mutex);
  auto capture = std::make_shared<Capture>();
  capture->id = r.next_id++;
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->origin = &stream;
  capture->graph = std::make_unique<CUgraph_st>();
  r.captures.push_back(capture);
  stream.capture = std::move(capture);
  stream.frontier.clear();
  return cudaSuccess;
}

int warpwright::sim::end_capture(CUstream_st &stream, CUgraph_st **graph) {
  *graph = nullptr;
  Registry &r = registry();
  Lock lock(r.mutex);
  const std::shared_ptr<Capture> capture = stream.capture;
  if (!capture)
    return cudaErrorIllegalState;
  if (capture->origin != &stream)
    return cudaErrorStreamCaptureUnmatched;
  if (capture->mode != cudaStreamCaptureModeRelaxed &&
      capture->thread != std::this_thread::get_id())
    return cudaErrorStreamCaptureWrongThread;

  // What nothing depends on must be what the stream is at.
  std::set<const CUgraphNode_st *> ends;
  for (const auto &node : capture->graph->nodes)
    ends.insert(node.get());
  for (const auto &node : capture->graph->nodes)
    for (const CUgraphNode_st *need : node->needs)
      ends.erase(need);
  for (const CUgraphNode_st *node : stream.frontier)
    ends.erase(node);

  const auto leave = [&capture](CUstream_st &s) {
    if (s.capture == capture) {
      s.capture.reset();
      s.frontier.clear();
    }
  };
  for (CUstream_st *s : r.streams)
    leave(*s);
  leave(r.per_thread);
  if (capture->invalidated)
    return cudaErrorStreamCaptureInvalidated;
  if (!ends.empty())
    return cudaErrorStreamCaptureUnjoined;
  *graph = capture->graph.release();
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Submitting
//===----------------------------------------------------------------------===//

int warpwright::sim::submit(void *handle,
                            std::unique_ptr<CUgraphNode_st> node) {
  if (const int error = notice_sticky_error())
    return error;
  CUstream_st *stream = find_stream(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (stream->capture) {
    Lock lock(registry().mutex);
    if (stream->capture->invalidated)
      return cudaErrorStreamCaptureInvalidated;
    CUgraphNode_st *added =
        stream->capture->graph->add(std::move(node), stream->frontier);
    stream->frontier = {added};
    return cudaSuccess;
  }
  if (const int error = forbid_implicit_dependency(*stream))
    return error;
  return node->run();
}

int warpwright::sim::submit_kernel(const BoundKernel &kernel,
                                   const LaunchConfig &config) {
  CUstream_st *stream = find_stream(config.stream);
  if (stream && !stream->capture) {
    // The way of nearly every launch: nothing is copied.
    if (const int error = notice_sticky_error())
      return error;
    if (const int error = forbid_implicit_dependency(*stream))
      return error;
    return run_launch(kernel, config);
  }
  if (const int error = check_launch(kernel_state(*kernel.site), config))
    return error;
  auto node = std::make_unique<CUgraphNode_st>(CUgraphNode_st::Type::kernel);
  node->kernel = std::make_unique<BoundKernel>(kernel);
  node->config = config;
  return submit(config.stream, std::move(node));
}
