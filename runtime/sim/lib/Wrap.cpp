//===- Wrap.cpp - The C library's functions in device code ----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host and device code of a program are one: which printf and which malloc is
// meant shows only when it is called. Programs are linked with --wrap=NAME for
// the name of each __wrap_ function here; nothing else needs this file. The
// engine's own operator new is renamed to warpwright_sim_Znwm (CMakeLists.txt).
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include <stdarg.h>
#include <stdio.h>

using namespace warpwright::sim;

extern "C" {
int __real_vprintf(const char *format, va_list arguments);
int __real_puts(const char *text);
int __real_putchar(int c);
void *__real_malloc(size_t bytes);
void __real_free(void *pointer);
void *__real__Znwm(size_t bytes);
void *__real__Znam(size_t bytes);
void __real__ZdlPv(void *pointer);
void __real__ZdaPv(void *pointer);

int __wrap_vprintf(const char *format, va_list arguments) {
  return current_thread ? device_vprintf(format, arguments)
                        : __real_vprintf(format, arguments);
}

int __wrap_printf(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = __wrap_vprintf(format, arguments);
  va_end(arguments);
  return length;
}

int __wrap_puts(const char *text) {
  return current_thread ? device_printf("%s\n", text) : __real_puts(text);
}

int __wrap_putchar(int c) {
  return current_thread ? device_printf("%c", c) : __real_putchar(c);
}

void *__wrap_malloc(size_t bytes) {
  return current_thread ? device_malloc(bytes) : __real_malloc(bytes);
}

void __wrap_free(void *pointer) {
  if (current_thread)
    device_free(pointer);
  else
    __real_free(pointer);
}

void *__wrap__Znwm(size_t bytes) {
  return current_thread ? device_malloc(bytes ? bytes : 1)
                        : __real__Znwm(bytes);
}
void *__wrap__Znam(size_t bytes) {
  return current_thread ? device_malloc(bytes ? bytes : 1)
                        : __real__Znam(bytes);
}
void __wrap__ZdlPv(void *pointer) {
  if (current_thread)
    device_free(pointer);
  else
    __real__ZdlPv(pointer);
}
void __wrap__ZdaPv(void *pointer) {
  if (current_thread)
    device_free(pointer);
  else
    __real__ZdaPv(pointer);
}
void __wrap__ZdlPvm(void *pointer, size_t) { __wrap__ZdlPv(pointer); }
void __wrap__ZdaPvm(void *pointer, size_t) { __wrap__ZdaPv(pointer); }

void *warpwright_sim_Znwm(size_t bytes) { return __real__Znwm(bytes); }
void *warpwright_sim_Znam(size_t bytes) { return __real__Znam(bytes); }
void warpwright_sim_ZdlPv(void *pointer) { __real__ZdlPv(pointer); }
void warpwright_sim_ZdlPvm(void *pointer, size_t) { __real__ZdlPv(pointer); }
void warpwright_sim_ZdaPv(void *pointer) { __real__ZdaPv(pointer); }
void warpwright_sim_ZdaPvm(void *pointer, size_t) { __real__ZdaPv(pointer); }
}
