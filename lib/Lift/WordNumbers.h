//===-- WordNumbers.h - Numbers whose words lie across k --------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where numbers of four bits that are neighbours along a row or a column share
/// a word, a kernel reads `w[k * pitch + col / 8]` and takes the bits that
/// `col % 8` says. The index is divided, but the number that is meant has one
/// that is not: the numbers of an array follow one another, and `col` steps
/// from one to the next. While indices are made such a number is an element of
/// the type U4; the contraction has the word and its bits again.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_WORDNUMBERS_H
#define WARPWRIGHT_LIB_LIFT_WORDNUMBERS_H

#include "warpwright/Contraction/Contraction.h"
#include <map>

namespace warpwright::symbolic {

/// The words of an array, and where their numbers are.
struct WordsOfNumbers {
  ScalarType Type = ScalarType::U8;
  NumberOrder Order;
};
/// Of arrays, by their names.
using WordArrays = std::map<std::string, WordsOfNumbers>;

/// \p V with each number of a word that its sums read as an element of the type
/// U4, whose index counts numbers. What the words are is added to \p Words.
ValueRef takeWordNumbers(const ValueRef &V, WordArrays &Words);

/// Puts the words and their bits in the place of the elements that \p C has of
/// the type U4. False if one is left, in a condition.
bool restoreWords(Contraction &C, const WordArrays &Words);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_WORDNUMBERS_H
