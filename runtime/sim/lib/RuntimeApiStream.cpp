//===- RuntimeApiStream.cpp - Streams and events of the CUDA runtime ------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeApi.h"

#include <algorithm>

using namespace warpwright::sim;
using NodeType = CUgraphNode_st::Type;

static constexpr int highest_priority = -5;

extern "C" {

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *pStream,
                                         unsigned int flags, int priority) {
  if (!pStream || flags > cudaStreamNonBlocking)
    return result(cudaErrorInvalidValue);
  if (const int error = notice_sticky_error())
    return result(error);
  *pStream = make_stream(flags, std::clamp(priority, highest_priority, 0));
  return result(cudaSuccess);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *pStream,
                                      unsigned int flags) {
  return cudaStreamCreateWithPriority(pStream, flags, 0);
}
cudaError_t cudaStreamCreate(cudaStream_t *pStream) {
  return cudaStreamCreateWithPriority(pStream, cudaStreamDefault, 0);
}
cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority,
                                             int *greatestPriority) {
  if (leastPriority)
    *leastPriority = 0;
  if (greatestPriority)
    *greatestPriority = highest_priority;
  return result(cudaSuccess);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  CUstream_st *found = find_stream(stream);
  if (!found || found != stream)
    return result(cudaErrorInvalidResourceHandle);
  if (found->capture)
    found->capture->invalidated = true;
  destroy_stream(found);
  return result(notice_sticky_error());
}
cudaError_t cudaStreamGetPriority(cudaStream_t hStream, int *priority) {
  const CUstream_st *stream = find_stream(hStream);
  if (!stream || !priority)
    return result(stream ? cudaErrorInvalidValue
                         : cudaErrorInvalidResourceHandle);
  *priority = stream->priority;
  return result(cudaSuccess);
}
cudaError_t cudaStreamGetFlags(cudaStream_t hStream, unsigned int *flags) {
  const CUstream_st *stream = find_stream(hStream);
  if (!stream || !flags)
    return result(stream ? cudaErrorInvalidValue
                         : cudaErrorInvalidResourceHandle);
  *flags = stream->flags;
  return result(cudaSuccess);
}
cudaError_t cudaStreamGetId(cudaStream_t hStream,
                            unsigned long long *streamId) {
  const CUstream_st *stream = find_stream(hStream);
  if (!stream || !streamId)
    return result(stream ? cudaErrorInvalidValue
                         : cudaErrorInvalidResourceHandle);
  *streamId = stream->id;
  return result(cudaSuccess);
}
cudaError_t cudaStreamGetDevice(cudaStream_t hStream, int *device) {
  if (!find_stream(hStream) || !device)
    return result(cudaErrorInvalidResourceHandle);
  *device = 0;
  return result(cudaSuccess);
}

/// Waiting for a stream that is being captured is an error, and ends that.
static int wait_for(cudaStream_t handle) {
  CUstream_st *stream = find_stream(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (stream->capture) {
    stream->capture->invalidated = true;
    return cudaErrorStreamCaptureUnsupported;
  }
  if (const int error = forbid_implicit_dependency(*stream))
    return error;
  return notice_sticky_error();
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return result(wait_for(stream));
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return result(wait_for(stream));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event,
                                unsigned int) {
  CUstream_st *stream = find_stream(handle);
  if (!stream || !is_event(event))
    return result(cudaErrorInvalidResourceHandle);
  const std::shared_ptr<Capture> captured = event->capture.lock();
  if (!captured) {
    if (stream->capture && event->recorded) {
      // Work outside of the graph cannot be waited for inside of it.
      stream->capture->invalidated = true;
      return result(cudaErrorStreamCaptureIsolation);
    }
    return result(notice_sticky_error());
  }
  if (stream->legacy) {
    captured->invalidated = true;
    return result(cudaErrorStreamCaptureImplicit);
  }
  if (stream->capture && stream->capture != captured) {
    captured->invalidated = stream->capture->invalidated = true;
    return result(cudaErrorStreamCaptureMerge);
  }
  stream->capture = captured;
  for (CUgraphNode_st *node : event->frontier)
    if (std::find(stream->frontier.begin(), stream->frontier.end(), node) ==
        stream->frontier.end())
      stream->frontier.push_back(node);
  return result(cudaSuccess);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn,
                               void *userData) {
  if (!fn)
    return result(cudaErrorInvalidValue);
  return result(submit_act(stream, NodeType::host, [fn, userData] {
    fn(userData);
    return static_cast<int>(cudaSuccess);
  }));
}
cudaError_t cudaStreamAddCallback(cudaStream_t handle,
                                  cudaStreamCallback_t callback, void *userData,
                                  unsigned int flags) {
  CUstream_st *stream = find_stream(handle);
  if (!stream)
    return result(cudaErrorInvalidResourceHandle);
  if (!callback || flags)
    return result(cudaErrorInvalidValue);
  if (stream->capture) {
    stream->capture->invalidated = true;
    return result(cudaErrorStreamCaptureUnsupported);
  }
  callback(handle, static_cast<cudaError_t>(notice_sticky_error()), userData);
  return result(cudaSuccess);
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *devPtr, size_t,
                                     unsigned int) {
  if (space_of(devPtr) != Space::managed)
    return result(cudaErrorInvalidValue);
  return result(submit_act(stream, NodeType::empty, nullptr));
}

//===----------------------------------------------------------------------===//
// Captures
//===----------------------------------------------------------------------===//

cudaError_t cudaStreamBeginCapture(cudaStream_t handle,
                                   cudaStreamCaptureMode mode) {
  CUstream_st *stream = find_stream(handle);
  if (!stream)
    return result(cudaErrorInvalidResourceHandle);
  if (mode < 0 || mode > cudaStreamCaptureModeRelaxed)
    return result(cudaErrorInvalidValue);
  return result(begin_capture(*stream, mode));
}
cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t *pGraph) {
  CUstream_st *stream = find_stream(handle);
  if (!stream || !pGraph)
    return result(stream ? cudaErrorInvalidValue
                         : cudaErrorInvalidResourceHandle);
  return result(end_capture(*stream, pGraph));
}
static cudaStreamCaptureStatus capture_status(const CUstream_st &stream) {
  return !stream.capture               ? cudaStreamCaptureStatusNone
         : stream.capture->invalidated ? cudaStreamCaptureStatusInvalidated
                                       : cudaStreamCaptureStatusActive;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t handle,
                                  cudaStreamCaptureStatus *pCaptureStatus) {
  const CUstream_st *stream = find_stream(handle);
  if (!stream || !pCaptureStatus)
    return result(stream ? cudaErrorInvalidValue
                         : cudaErrorInvalidResourceHandle);
  if (const int error = forbid_implicit_dependency(*stream))
    return result(error);
  *pCaptureStatus = capture_status(*stream);
  return result(cudaSuccess);
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle,
                                     cudaStreamCaptureStatus *captureStatus_out,
                                     unsigned long long *id_out,
                                     cudaGraph_t *graph_out,
                                     const cudaGraphNode_t **dependencies_out,
                                     const cudaGraphEdgeData **edgeData_out,
                                     size_t *numDependencies_out) {
  const CUstream_st *stream = find_stream(handle);
  if (!stream || !captureStatus_out)
    return result(stream ? cudaErrorInvalidValue
                         : cudaErrorInvalidResourceHandle);
  *captureStatus_out = capture_status(*stream);
  if (edgeData_out)
    *edgeData_out = nullptr;
  if (!stream->capture)
    return result(cudaSuccess);
  if (id_out)
    *id_out = stream->capture->id;
  if (graph_out)
    *graph_out = stream->capture->graph.get();
  if (dependencies_out)
    *dependencies_out = stream->frontier.data();
  if (numDependencies_out)
    *numDependencies_out = stream->frontier.size();
  return result(cudaSuccess);
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode) {
  if (!mode || *mode < 0 || *mode > cudaStreamCaptureModeRelaxed)
    return result(cudaErrorInvalidValue);
  const int before = thread_capture_mode();
  thread_capture_mode() = *mode;
  *mode = static_cast<cudaStreamCaptureMode>(before);
  return result(cudaSuccess);
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
  if (!event || flags > 7)
    return result(cudaErrorInvalidValue);
  if (const int error = notice_sticky_error())
    return result(error);
  *event = make_event(flags);
  return result(cudaSuccess);
}
cudaError_t cudaEventCreate(cudaEvent_t *event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (!is_event(event))
    return result(cudaErrorInvalidResourceHandle);
  destroy_event(event);
  return result(notice_sticky_error());
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t handle,
                                     unsigned int) {
  CUstream_st *stream = find_stream(handle);
  if (!stream || !is_event(event))
    return result(cudaErrorInvalidResourceHandle);
  if (stream->capture) {
    event->recorded = false;
    event->capture = stream->capture;
    event->frontier = stream->frontier;
    return result(cudaSuccess);
  }
  if (const int error = forbid_implicit_dependency(*stream))
    return result(error);
  event->capture.reset();
  event->recorded = true;
  event->time = std::chrono::steady_clock::now();
  return result(notice_sticky_error());
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}
static int wait_for_event(cudaEvent_t event) {
  if (!is_event(event))
    return cudaErrorInvalidResourceHandle;
  if (const std::shared_ptr<Capture> capture = event->capture.lock()) {
    capture->invalidated = true;
    return cudaErrorCapturedEvent;
  }
  return notice_sticky_error();
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return result(wait_for_event(event));
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return result(wait_for_event(event));
}
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start,
                                 cudaEvent_t end) {
  if (!ms)
    return result(cudaErrorInvalidValue);
  if (!is_event(start) || !is_event(end) || !start->recorded ||
      !end->recorded || (start->flags | end->flags) & cudaEventDisableTiming)
    return result(cudaErrorInvalidResourceHandle);
  if (const int error = notice_sticky_error())
    return result(error);
  // Never zero: programs divide by it. The device's own resolution is 0.5 us.
  constexpr float resolution = 0.0005f;
  const std::chrono::duration<float, std::milli> time = end->time - start->time;
  *ms = time.count() < 0 ? time.count() : std::max(time.count(), resolution);
  return result(cudaSuccess);
}

} // extern "C"
