//===- program.h - What a simulated program calls ---------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface between a CUDA program that `warpwright sim` has turned into
// plain C++ and the simulator that it is linked with. The transformation (see
// include/warpwright/Simulate/Transform.h) writes:
//
//   kernel<<<grid, block, smem, stream>>>(args)
//       (::warpwright::sim::configure(grid, block, smem, stream), kernel(args))
//   __global__ void kernel(params) { body }
//       WARPWRIGHT_SIM_KERNEL void kernel(params) {
//         static const ::warpwright::sim::KernelSite site = {...};
//         if (::warpwright::sim::answer_query<types of params>(site)) return;
//         ::warpwright::sim::run_kernel(site, [=]() mutable { body });
//       }
//   __shared__ T a[n];
//       typedef T type_a[n];
//       static ::warpwright::sim::SharedSite site_a = {...};
//     and every use of a
//       ::warpwright::sim::shared<type_a &>(site_a)
//   extern __shared__ T s[];
//       typedef T type_s[];
//     and every use of s
//       ::warpwright::sim::dynamic_shared<type_s &>(alignof(type_s))
//   *p, p[i], p->x, where *p is a vector
//       *vector_pointer(p), vector_pointer(p)[i], vector_pointer(p)->x
//   asm volatile("text" : outputs : inputs : clobbers)
//       { static site; AsmOperand list[] = {...}; run_asm(site, list, n); }
//   uint32_t a[4];
//       uint32_t a[4]; Registers registers_a(&a, sizeof(a));
//     in programs with a wgmma that takes A from registers
//
// A launch runs to its end before `run_kernel` returns (on the host): that is
// one of the orders that streams and events allow. Under stream capture it is
// recorded instead.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_PROGRAM_H
#define WARPWRIGHT_SIM_PROGRAM_H

#include <new>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <type_traits>
#include <utility>

/// What the simulator and its glue read or write is not the program's access.
#ifdef __clang__
#define WARPWRIGHT_SIM_UNCHECKED __attribute__((no_sanitize("coverage")))
#else
#define WARPWRIGHT_SIM_UNCHECKED // the simulator itself, not instrumented
#endif

/// Each call keeps its own line, for reports: compilers would merge those at
/// the ends of two branches.
#if defined(__clang__)
#define WARPWRIGHT_SIM_NOMERGE __attribute__((nomerge))
#else
#define WARPWRIGHT_SIM_NOMERGE
#endif

namespace warpwright {
namespace sim {

struct Index3 {
  unsigned x = 1, y = 1, z = 1;
};

/// The part of a simulated thread that programs read. Null on the host.
struct ThreadView {
  Index3 threadIdx, blockIdx, blockDim, gridDim;
};
extern __thread ThreadView *current_thread;

/// The same, one word at a time: 0 to 2 are threadIdx.x, y and z, then come
/// blockIdx, blockDim and gridDim. For one fiber these never change, so
/// compilers may remember them; and no access of the program has to be checked.
__attribute__((const)) unsigned thread_index(int which);

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// An annotated kernel, for what was generated from it.
struct UserKernel {
  const char *name;
  const char *file; ///< presumed location of its definition
  int line;
};

/// The kernel that one of the types was generated for, or null: a struct of a
/// generated section has it as a member, which is put there when the program is
/// prepared for the simulator.
template <class T>
constexpr auto own_user_kernel(int) -> decltype(&T::__ww_user_kernel) {
  return &T::__ww_user_kernel;
}
template <class T> constexpr const UserKernel *own_user_kernel(long) {
  return nullptr;
}
template <class T, class... Others>
constexpr const UserKernel *user_kernel_of() {
  if constexpr (sizeof...(Others) == 0)
    return own_user_kernel<T>(0);
  else
    return own_user_kernel<T>(0) ? own_user_kernel<T>(0)
                                 : user_kernel_of<Others...>();
}

/// What is known of a kernel, or of one instance of a template.
struct KernelSite {
  const char *name;   ///< as the user wrote it
  const char *pretty; ///< __PRETTY_FUNCTION__: with the template arguments
  const char *file;   ///< presumed location of its definition
  int line;
  int max_threads; ///< __launch_bounds__, 0 if not given
  int min_blocks;
  /// Bytes of the parameters, for the limit of 4 KiB (32 KiB - 4 from 12.1 on).
  size_t parameter_bytes;
  /// The annotated kernel that this one was generated for, or null.
  const UserKernel *user;
  unsigned cluster[3]; ///< __cluster_dims__, zeros if not given
};

/// Pushes a launch configuration on this host thread's stack, from which
/// `run_kernel` pops it: a kernel's arguments may launch themselves. Invalid
/// ones are found out there. `stream` is a cudaStream_t.
void configure_launch(Index3 grid, Index3 block, size_t smem, void *stream);
template <class Grid, class Block>
inline void configure(const Grid &grid, const Block &block, size_t smem = 0,
                      void *stream = nullptr); // in cuda_runtime.h: needs dim3

/// A kernel's parameters and body, type-erased.
struct KernelBody {
  size_t bytes, alignment;
  void (*copy)(void *to, const void *from);
  void (*destroy)(void *);
  /// Runs one thread: on its own copy, since bodies may change parameters.
  void (*call)(const void *);
};

/// Launches with the innermost pending configuration, or records under stream
/// capture.
void run_kernel_erased(const KernelSite &site, const KernelBody &body,
                       const void *closure);

template <class Body>
WARPWRIGHT_SIM_UNCHECKED void run_kernel(const KernelSite &site,
                                         const Body &body) {
  static const KernelBody erased = {
      sizeof(Body), alignof(Body),
      [](void *to, const void *from) WARPWRIGHT_SIM_UNCHECKED {
        new (to) Body(*static_cast<const Body *>(from));
      },
      [](void *closure)
          WARPWRIGHT_SIM_UNCHECKED { static_cast<Body *>(closure)->~Body(); },
      [](const void *closure) WARPWRIGHT_SIM_UNCHECKED {
        Body copy(*static_cast<const Body *>(closure));
        copy();
      }};
  run_kernel_erased(site, erased, &body);
}

/// What a kernel answers when it is called only to be asked what it is.
struct KernelQuery {
  const KernelSite *site = nullptr;
  /// Calls the kernel with the arguments that `arguments` points at.
  void (*invoke)(const void *kernel, void **arguments) = nullptr;
  const size_t *parameter_bytes = nullptr;
  size_t parameters = 0;
};
/// Null, except while a kernel is asked (KernelQuery.h).
extern __thread KernelQuery *kernel_query;

/// Every kernel is in this section, so that any pointer can be tested for being
/// one: its address may come from a table or a template argument.
#define WARPWRIGHT_SIM_KERNEL __attribute__((section("warpwright_kernels")))

template <class... P, size_t... I>
WARPWRIGHT_SIM_UNCHECKED void
invoke_kernel(const void *kernel, void **arguments,
              std::integer_sequence<size_t, I...>) {
  reinterpret_cast<void (*)(P...)>(const_cast<void *>(kernel))(
      *static_cast<std::remove_reference_t<P> *>(arguments[I])...);
}

/// First thing in a kernel of parameters P: true if it was only a question.
/// The parameters have no value then.
template <class... P>
WARPWRIGHT_SIM_UNCHECKED bool answer_query(const KernelSite &site) {
  if (__builtin_expect(!kernel_query, 1))
    return false;
  static const size_t bytes[] = {sizeof(P)..., 0};
  kernel_query->site = &site;
  kernel_query->invoke = [](const void *kernel,
                            void **arguments) WARPWRIGHT_SIM_UNCHECKED {
    invoke_kernel<P...>(kernel, arguments, std::index_sequence_for<P...>());
  };
  kernel_query->parameter_bytes = bytes;
  kernel_query->parameters = sizeof...(P);
  return true;
}

/// Bytes that parameters take: one after the other, each aligned.
template <class... P> constexpr size_t parameter_bytes() {
  size_t sizes[] = {sizeof(P)..., 0}, alignments[] = {alignof(P)..., 1};
  size_t end = 0;
  for (size_t i = 0; i != sizeof...(P); ++i)
    end = (end + alignments[i] - 1) / alignments[i] * alignments[i] + sizes[i];
  return end;
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// One __shared__ variable (of one template instance).
struct SharedSite {
  const char *name;
  size_t bytes, alignment;
  int slot; ///< 0: not numbered yet. Written atomically by the simulator.
};

/// The calling thread's CTA's copy. An activation of a function belongs to one
/// thread, so that the compiler may ask once.
__attribute__((const)) void *shared_variable(SharedSite &site);
/// The dynamic shared memory of the calling thread's CTA, aligned within the
/// shared window as declared.
__attribute__((const)) void *dynamic_shared_memory(size_t alignment);

template <class Reference>
WARPWRIGHT_SIM_UNCHECKED __attribute__((always_inline)) inline Reference
shared(SharedSite &site) {
  return *static_cast<std::remove_reference_t<Reference> *>(
      shared_variable(site));
}
template <class Reference>
WARPWRIGHT_SIM_UNCHECKED __attribute__((always_inline)) inline Reference
dynamic_shared(size_t alignment) {
  return reinterpret_cast<Reference>(
      *static_cast<char *>(dynamic_shared_memory(alignment)));
}

//===----------------------------------------------------------------------===//
// Alignment
//===----------------------------------------------------------------------===//

/// Reports an access at an address that is not a multiple of `alignment`.
WARPWRIGHT_SIM_NOMERGE void misaligned_access(const volatile void *address,
                                              size_t bytes, size_t alignment);

/// The pointer, which device code follows: the device faults where it is not
/// aligned.
template <class T>
WARPWRIGHT_SIM_UNCHECKED __attribute__((always_inline)) constexpr T *
aligned_pointer(T *pointer) {
  if constexpr (std::is_object<T>::value)
    if (!__builtin_is_constant_evaluated() &&
        reinterpret_cast<uintptr_t>(pointer) % alignof(T) != 0)
      misaligned_access(pointer, sizeof(T), alignof(T));
  return pointer;
}
/// The same for vectors only, of two halves and more, where T was not known.
template <class T>
WARPWRIGHT_SIM_UNCHECKED __attribute__((always_inline)) constexpr T *
vector_pointer(T *pointer) {
  if constexpr (std::is_class<T>::value)
    if (alignof(T) >= 4)
      return aligned_pointer(pointer);
  return pointer;
}

//===----------------------------------------------------------------------===//
// Inline PTX
//===----------------------------------------------------------------------===//

struct CompiledAsm;

/// One asm statement (of one template instance).
struct AsmSite {
  const char *text;
  CompiledAsm *compiled; ///< filled at the first execution
};

struct alignas(32) AsmOperand {
  const char *name; ///< of "[name]", or null
  uint64_t bytes;   ///< of the C++ object
  void *address;    ///< of an output, null for an input
  uint64_t value;   ///< of an input: its bits, integers sign-extended
};
/// Made in one piece: a store of 32 bytes has no hook, and a wgmma has more
/// than a hundred operands.
WARPWRIGHT_SIM_UNCHECKED __attribute__((always_inline)) inline AsmOperand
asm_operand(const char *name, uint64_t bytes, void *address, uint64_t value) {
  typedef uint64_t Words __attribute__((vector_size(32)));
  return __builtin_bit_cast(
      AsmOperand, (Words{reinterpret_cast<uint64_t>(name), bytes,
                         reinterpret_cast<uint64_t>(address), value}));
}

template <class T>
WARPWRIGHT_SIM_UNCHECKED __attribute__((always_inline)) inline AsmOperand
asm_output(const char *, const char *name, T &object) {
  return asm_operand(name, sizeof(T),
                     const_cast<std::remove_cv_t<T> *>(&object), 0);
}
template <class T>
WARPWRIGHT_SIM_UNCHECKED __attribute__((always_inline)) inline AsmOperand
asm_input(const char *, const char *name, const T &object) {
  uint64_t value = 0, bytes = sizeof(T);
  if constexpr (std::is_integral<T>::value || std::is_enum<T>::value) {
    value = static_cast<uint64_t>(object);
  } else if constexpr (std::is_array<T>::value) {
    const void *decayed = object;
    value = reinterpret_cast<uint64_t>(decayed);
    bytes = sizeof(decayed);
  } else {
    memcpy(&value, &object, sizeof(T) < 8 ? sizeof(T) : 8);
  }
  return asm_operand(name, bytes, nullptr, value);
}
/// An input that is a register of A: by address, like an output, if it has one.
template <class T>
WARPWRIGHT_SIM_UNCHECKED __attribute__((always_inline)) inline AsmOperand
asm_register(const char *constraint, const char *name, T &&object) {
  if constexpr (std::is_lvalue_reference<T>::value)
    return asm_output(constraint, name, object);
  else
    return asm_input(constraint, name, object);
}
WARPWRIGHT_SIM_NOMERGE void run_asm(AsmSite &site, AsmOperand *operands,
                                    size_t count);

/// Says, while it lives, that a local variable does from which a wgmma may take
/// A: changes are watched as long as that may read it, but not those of other
/// variables that lie there later.
void add_registers(const void *begin, size_t bytes);
void drop_registers(const void *begin, size_t bytes);
class Registers {
  const void *begin;
  size_t bytes;

public:
  WARPWRIGHT_SIM_UNCHECKED __attribute__((always_inline))
  Registers(const void *begin, size_t bytes)
      : begin(begin), bytes(bytes) {
    add_registers(begin, bytes);
  }
  WARPWRIGHT_SIM_UNCHECKED __attribute__((always_inline)) ~Registers() {
    drop_registers(begin, bytes);
  }
  Registers(const Registers &) = delete;
  Registers &operator=(const Registers &) = delete;
};

//===----------------------------------------------------------------------===//
// Device functions with which threads meet
//===----------------------------------------------------------------------===//

WARPWRIGHT_SIM_NOMERGE void sync_threads(); ///< __syncthreads
enum class Vote { any, all, ballot, count };
WARPWRIGHT_SIM_NOMERGE int
sync_threads_vote(Vote kind, int predicate); ///< __syncthreads_count, ...
/// The barrier of a cooperative launch's whole grid; false, and no barrier, in
/// any other launch.
WARPWRIGHT_SIM_NOMERGE bool sync_grid();
bool is_cooperative();
WARPWRIGHT_SIM_NOMERGE void sync_warp(unsigned mask);
WARPWRIGHT_SIM_NOMERGE unsigned active_mask();
WARPWRIGHT_SIM_NOMERGE unsigned vote(Vote kind, unsigned mask, int predicate);
enum class Shuffle { index, up, down, exclusive };
/// __shfl_*_sync of up to 8 bytes.
WARPWRIGHT_SIM_NOMERGE uint64_t shuffle(Shuffle kind, unsigned mask,
                                        uint64_t value, unsigned lane,
                                        int width);
/// __match_any_sync; __match_all_sync with `all` not null.
WARPWRIGHT_SIM_NOMERGE unsigned match(unsigned mask, uint64_t value, int *all);

enum class Reduce { add, min_u, max_u, min_s, max_s, and_, or_, xor_ };
WARPWRIGHT_SIM_NOMERGE uint32_t reduce(Reduce kind, unsigned mask,
                                       uint32_t value);

/// Shared-window address of a generic pointer (__cvta_generic_to_shared) and
/// back. The window of the CTA of rank r in its cluster starts at r << 24, as
/// on the hardware, so an address may be of any CTA of the cluster.
uint32_t to_shared_address(const void *generic);
void *from_shared_address(uint32_t address);
bool is_shared(const void *generic);

/// A host pointer that device code may not follow, and the like, are checked
/// at every access by the compiler's trace-loads and trace-stores hooks.
/// Atomics say so first: they order, and are no data race.
WARPWRIGHT_SIM_NOMERGE void atomic_access(const volatile void *address,
                                          size_t bytes);
void thread_fence(int scope); ///< 0 block, 1 device, 2 system
/// griddepcontrol.wait: what the kernel before this one did is seen.
void wait_for_previous_kernel();
void nanosleep(unsigned ns); ///< lets others run: spin loops call it
[[noreturn]] WARPWRIGHT_SIM_NOMERGE void
trap(); ///< __trap, and assert's way out
/// What a failed assert() calls. In device code the launch ends with
/// cudaErrorAssert; on the host the program is aborted.
[[noreturn]] WARPWRIGHT_SIM_NOMERGE void assert_failed(const char *expression,
                                                       const char *file,
                                                       unsigned line,
                                                       const char *function);
int64_t clock64();
int device_printf(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
/// malloc and free of device code: the device's heap.
void *device_malloc(size_t bytes);
void device_free(void *pointer);

} // namespace sim
} // namespace warpwright

#endif // WARPWRIGHT_SIM_PROGRAM_H
