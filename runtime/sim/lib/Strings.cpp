//===- Strings.cpp - The engine's own std::string -------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The standard library declares std::string `extern template`: its members are
// in the shared library, or, for what C++20 makes constexpr, in whatever object
// of the program uses them. There the engine's would come from as well, and
// they would call the program's operator new for strings that the engine's
// operator delete then frees (CMakeLists.txt tells why there are two). So all
// of them are instantiated here, and stay in the engine.
//
//===----------------------------------------------------------------------===//

#include <string>

template class std::basic_string<char>;
