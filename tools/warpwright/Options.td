//===- Options.td - The options of all subcommands ------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table from which LLVM's option parser reads command lines (Arguments.h).
// An option is visible to the subcommands that take it.
//
//===----------------------------------------------------------------------===//

include "llvm/Option/OptParser.td"

def RewriteOption : OptionVisibility;
def ExplainOption : OptionVisibility;
def ScanOption : OptionVisibility;
def SimOption : OptionVisibility;
def VerifyOption : OptionVisibility;
def LaunchOption : OptionVisibility;
def LayoutOption : OptionVisibility;

/// `--name`
class Switch<string name, list<OptionVisibility> visibility>
    : Flag<["--"], name>, Visibility<visibility>;

/// `--name=value`; the option without the value is another one, if there is
/// such an option.
class WithValue<string name, list<OptionVisibility> visibility>
    : Joined<["--"], name # "=">, Visibility<visibility>;

/// `--name=value` and `--name value`
multiclass Value<string name, list<OptionVisibility> visibility> {
  def NAME : WithValue<name, visibility>;
  def NAME # _separate : Separate<["--"], name>, Visibility<visibility>,
                         Alias<!cast<Option>(NAME)>;
}

/// `-n value` and `-n=value`
multiclass ShortValue<string name, list<OptionVisibility> visibility> {
  def NAME : Separate<["-"], name>, Visibility<visibility>;
  def NAME # _joined : Joined<["-"], name # "=">, Visibility<visibility>,
                       Alias<!cast<Option>(NAME)>;
}

// What is read, and how.
defm p : ShortValue<"p", [RewriteOption, ExplainOption, VerifyOption,
                          ScanOption, SimOption]>;
defm extra_arg : Value<"extra-arg", [RewriteOption, ExplainOption,
                                     VerifyOption, ScanOption, SimOption]>;
defm plan : Value<"plan", [RewriteOption, ExplainOption, VerifyOption,
                           SimOption]>;
def strict : Switch<"strict", [RewriteOption, ExplainOption, VerifyOption,
                               SimOption, LaunchOption]>;
def no_check : Switch<"no-check", [RewriteOption, ExplainOption, VerifyOption,
                                   ScanOption]>;
def time_limit : WithValue<"time-limit",
                           [RewriteOption, ExplainOption, VerifyOption,
                            ScanOption, LaunchOption]>;

// What is written, and where.
defm o : ShortValue<"o", [RewriteOption, ScanOption]>;
defm emit : Value<"emit", [RewriteOption, SimOption]>;
def in_place : Switch<"in-place", [RewriteOption]>;
def certificate : Switch<"certificate", [RewriteOption]>;
def check : Switch<"check", [RewriteOption]>;
def revert : Switch<"revert", [RewriteOption]>;
defm svg : Value<"svg", [ExplainOption, LayoutOption]>;

// scan
def annotate : Switch<"annotate", [ScanOption]>;
defm format : Value<"format", [ScanOption]>;
def j : JoinedOrSeparate<["-"], "j">, Visibility<[ScanOption]>;

// sim and verify
def keep : Switch<"keep", [SimOption, VerifyOption]>;
def keep_in : WithValue<"keep", [SimOption, VerifyOption]>;
def build_only : Switch<"build-only", [SimOption, VerifyOption]>;
defm seed : Value<"seed", [SimOption, VerifyOption]>;

// sim
def original : Switch<"original", [SimOption]>;
def exact_accumulate : Switch<"exact-accumulate", [SimOption]>;
defm schedules : Value<"schedules", [SimOption]>;
defm run : Value<"run", [SimOption]>;
defm threads : Value<"threads", [SimOption]>;
defm sms : Value<"sms", [SimOption]>;

// verify
defm count : Value<"count", [VerifyOption]>;
defm shapes : Value<"shapes", [VerifyOption]>;
defm set : Value<"set", [VerifyOption]>;
defm link : Value<"link", [VerifyOption]>;
defm arch : Value<"arch", [VerifyOption]>;
defm emit_test : Value<"emit-test", [VerifyOption]>;
def gpu : Switch<"gpu", [VerifyOption]>;

// layout
def table : Switch<"table", [LayoutOption]>;
def text : Switch<"text", [LayoutOption]>;
defm at : Value<"at", [LayoutOption]>;
defm tv : Value<"tv", [LayoutOption]>;
def banks : Switch<"banks", [LayoutOption]>;
def banks_of : WithValue<"banks", [LayoutOption]>;
defm access : Value<"access", [LayoutOption]>;

// For tests of the tool itself: it fails, or makes a mistake.
def simulate_failure : WithValue<"simulate-failure",
                                 [RewriteOption, ExplainOption, VerifyOption,
                                  ScanOption, LaunchOption]>;
def simulate_mistake : WithValue<"simulate-mistake",
                                 [RewriteOption, ExplainOption, VerifyOption]>;
