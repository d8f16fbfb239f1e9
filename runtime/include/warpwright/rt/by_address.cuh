//===- warpwright/rt/by_address.cuh - Launches by address ------*- CUDA -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel's address can be taken, kept and launched without its name. A
// rewritten file lists the kernels whose address it takes, and launches through
// what is declared here: it asks the list for the launcher, and launches as it
// always did what is not in it.
//
// All of it is in an unnamed namespace, so that each file has its own list: the
// address of a kernel may differ between files, and code of one file must not
// be merged with that of another, which has other kernels.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_BY_ADDRESS_CUH
#define WARPWRIGHT_RT_BY_ADDRESS_CUH

#include <warpwright/rt/device.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {
namespace by_address {
namespace {

/// A kernel in the list.
struct Entry {
  const char *name;
  const void *kernel;
  int parameters;
  /// Runs the launcher, with arguments as cudaLaunchKernel has them. False
  /// where there is none; then nothing has happened.
  bool (*run)(const Entry &entry, const Launch &launch, void **arguments);
  const Entry *next;
};

/// The head of this file's list. It grows before main(), or before dlopen()
/// returns, and never shrinks.
inline const Entry *&first_entry() {
  static const Entry *first = nullptr;
  return first;
}

inline const Entry *find(const void *kernel) {
  const Entry *entry = first_entry();
  while (entry && entry->kernel != kernel)
    entry = entry->next;
  return entry;
}

/// The numbers from 0 to count - 1.
template <int...> struct Numbers {};
template <int count, int... numbers>
struct UpTo : UpTo<count - 1, count - 1, numbers...> {};
template <int... numbers> struct UpTo<0, numbers...> {
  typedef Numbers<numbers...> type;
};

/// Puts a kernel of this type on the list. A null launcher is one that another
/// file would have had. As a part of a function's type parameters lose their
/// qualifiers, and arrays are pointers.
template <class Type> class Kernel;
template <class... Parameters> class Kernel<void(Parameters...)> : Entry {
public:
  Kernel(const char *name, void (*kernel)(Parameters...),
         void (*launcher)(Launch, Parameters...))
      : Entry{name, reinterpret_cast<const void *>(kernel),
              static_cast<int>(sizeof...(Parameters)), &Kernel::run_launcher,
              first_entry()},
        launcher(launcher) {
    first_entry() = this;
  }
  Kernel(const Kernel &) = delete;
  Kernel &operator=(const Kernel &) = delete;

private:
  static bool run_launcher(const Entry &entry, const Launch &launch,
                           void **arguments) {
    return static_cast<const Kernel &>(entry).call(
        launch, arguments, typename UpTo<sizeof...(Parameters)>::type());
  }
  template <int... numbers>
  bool call(const Launch &launch, void **arguments, Numbers<numbers...>) const {
    (void)arguments; // where there are no parameters
    if (!launcher) {
      log_original(name, "the file that defines it has no launcher for it");
      return false;
    }
    launcher(launch, *static_cast<Parameters *>(arguments[numbers])...);
    return true;
  }

  void (*launcher)(Launch, Parameters...);
};

/// `pointer`, to be called behind a Configure with the arguments of
/// `pointer<<<...>>>(arguments)`, which are converted as they are there.
template <class... Parameters> class Pointer {
public:
  explicit Pointer(void (*kernel)(Parameters...)) : kernel(kernel) {}

  void operator()(Parameters... arguments) const {
    const Launch launch = Configure::take();
    if (const Entry *entry = find(reinterpret_cast<const void *>(kernel))) {
      const volatile void *addresses[] = {
          &reinterpret_cast<const volatile char &>(arguments)..., nullptr};
      if (entry->run(*entry, launch, const_cast<void **>(addresses)))
        return;
    }
    kernel<<<launch.grid, launch.block, launch.smem, launch.stream>>>(
        static_cast<Parameters &&>(arguments)...);
  }

private:
  void (*kernel)(Parameters...);
};

template <class... Parameters>
Pointer<Parameters...> launch(void (*kernel)(Parameters...)) {
  return Pointer<Parameters...>(kernel);
}

/// Runs the launcher, for a function that returns an error. False where the
/// original is to be launched instead.
inline bool run(const Entry &entry, const Launch &launch, void **arguments,
                cudaError_t *error) {
  // The error of a launch is the last one afterwards: unless that was there
  // before, and then it cannot be told whose it is.
  if (cudaPeekAtLastError() != cudaSuccess) {
    log_original(entry.name, "an earlier error has not been asked for");
    return false;
  }
  bool complete = arguments || !entry.parameters;
  for (int i = 0; complete && i < entry.parameters; ++i)
    complete = arguments[i] != nullptr;
  if (!complete) {
    log_original(entry.name, "the launch is not valid");
    return false;
  }
  if (!entry.run(entry, launch, arguments))
    return false;
  *error = cudaPeekAtLastError();
  return true;
}

/// Why a cooperative launch of the original is to be left to the runtime: it
/// demands that the device holds all blocks at once. Null if that is so.
inline const char *cooperative_problem(const void *kernel,
                                       const Launch &launch) {
  const DeviceInfo device = current_device();
  if (device.compute_capability != 90) // those can do it, others may not
    return "the device is not of compute capability 9.0";
  const char *const invalid = "the launch is not valid";
  const dim3 grid = launch.grid, block = launch.block;
  if (block.x > 1024 || block.y > 1024 || block.z > 1024 || grid.y > 65535 ||
      grid.z > 65535)
    return invalid;
  ErrorGuard guard;
  RelaxedCapture relaxed;
  int blocks = 0;
  if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &blocks, kernel, static_cast<int>(block.x * block.y * block.z),
          launch.smem) != cudaSuccess)
    return invalid;
  return static_cast<unsigned long long>(grid.x) * grid.y * grid.z >
                 static_cast<unsigned long long>(blocks) *
                     device.multiprocessors
             ? invalid
             : nullptr;
}

// What stands in for the functions of the CUDA runtime that launch by address:
// same names, parameters, defaults and results.

inline cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim,
                                    dim3 blockDim, void **args,
                                    size_t sharedMem, cudaStream_t stream) {
  cudaError_t error;
  if (const Entry *entry = find(func))
    if (run(*entry, Launch(gridDim, blockDim, sharedMem, stream), args, &error))
      return error;
  return ::cudaLaunchKernel(func, gridDim, blockDim, args, sharedMem, stream);
}
template <class T>
cudaError_t cudaLaunchKernel(T *func, dim3 gridDim, dim3 blockDim, void **args,
                             size_t sharedMem = 0, cudaStream_t stream = 0) {
  return by_address::cudaLaunchKernel((const void *)func, gridDim, blockDim,
                                      args, sharedMem, stream);
}

inline cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim,
                                               dim3 blockDim, void **args,
                                               size_t sharedMem,
                                               cudaStream_t stream) {
  cudaError_t error;
  if (const Entry *entry = find(func)) {
    const Launch launch(gridDim, blockDim, sharedMem, stream);
    if (const char *reason = cooperative_problem(func, launch))
      log_original(entry->name, reason);
    else if (run(*entry, launch, args, &error))
      return error;
  }
  return ::cudaLaunchCooperativeKernel(func, gridDim, blockDim, args, sharedMem,
                                       stream);
}
template <class T>
cudaError_t cudaLaunchCooperativeKernel(T *func, dim3 gridDim, dim3 blockDim,
                                        void **args, size_t sharedMem = 0,
                                        cudaStream_t stream = 0) {
  return by_address::cudaLaunchCooperativeKernel(
      (const void *)func, gridDim, blockDim, args, sharedMem, stream);
}

inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config,
                                       const void *func, void **args) {
  cudaError_t error;
  const Entry *entry = config ? find(func) : nullptr;
  // An attribute may order the launch among others, or ask for clusters.
  if (entry && config->numAttrs)
    log_original(entry->name, "the launch has attributes");
  else if (entry && run(*entry,
                        Launch(config->gridDim, config->blockDim,
                               config->dynamicSmemBytes, config->stream),
                        args, &error))
    return error;
  return ::cudaLaunchKernelExC(config, func, args);
}
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                               void (*kernel)(Parameters...),
                               Arguments &&...arguments) {
  return [&](Parameters... converted) {
    const volatile void *addresses[] = {
        &reinterpret_cast<const volatile char &>(converted)..., nullptr};
    return by_address::cudaLaunchKernelExC(
        config, reinterpret_cast<const void *>(kernel),
        const_cast<void **>(addresses));
  }(static_cast<Arguments &&>(arguments)...);
}
/// A cudaKernel_t is no address.
template <class T, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, T *kernel,
                               Arguments &&...arguments) {
  return ::cudaLaunchKernelEx(config, kernel,
                              static_cast<Arguments &&>(arguments)...);
}

} // namespace
} // namespace by_address
} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_BY_ADDRESS_CUH
