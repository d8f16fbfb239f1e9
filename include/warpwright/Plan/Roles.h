//===- Roles.h - What a kernel is made of -----------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A kernel loads stages by TMA, feeds them to the tensor cores, multiplies
/// them, stores what comes out, and does so tile after tile. Each of these is a
/// role. A role that has several choices is an abstract class here, and a
/// choice is an object of it without state, in files of its own under lib/Plan:
/// there stand together which decisions it takes and where their limits are,
/// what it derives from them, what the validator proves of it, its part of the
/// protocol, its members of the JSON form, its lines of the printed plan, and
/// what pictures say of it. A plan names one choice of each role, and whoever
/// reads the plan calls them. So a new family of kernels is a new choice, and
/// those who only pass plans on do not learn of it (docs/design.md, "Plan").
///
/// The same roles are those of the runtime: rt/load.cuh, rt/feed_*.cuh,
/// rt/multiply.cuh, rt/store.cuh, rt/scheduler.cuh.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PLAN_ROLES_H
#define WARPWRIGHT_PLAN_ROLES_H

#include "warpwright/Contraction/Contraction.h"
#include "warpwright/Contraction/Directives.h"
#include "warpwright/Hopper/Machine.h"
#include "warpwright/Plan/KernelPlan.h"
#include "warpwright/Plan/Protocol.h"
#include "warpwright/rt/plan.cuh"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

namespace warpwright {

class MemberVisitor;     // lib/Plan/Members.h
class MultiplyRole;      // below
class ProtocolBuilder;   // lib/Plan/ProtocolBuilder.h
class RuntimeComparison; // lib/Plan/RuntimeComparison.h
class Validator;         // lib/Plan/Validation.h
struct MemoryMap;
struct StageFill;

/// What a feed is asked to derive an operand from.
struct OperandRequest {
  const Operand &Source;
  bool IsA = true, IsRows = true;
  Major Order = Major::K;
  int64_t Extent = 0;  ///< rows (m or n) of the tile, all sources together
  int64_t Sources = 1; ///< arrays one behind the other
  int64_t Shares = 1;  ///< CTAs of the cluster that load one part each
  int64_t RowsPerInstruction = 0;
  bool Batched = false; ///< it moves with the batch
};

/// What of the registers of a consumer is not accumulators of an instruction.
struct ConsumerClaim {
  int64_t Sets = 1;      ///< of accumulators and sums together
  int64_t Registers = 0; ///< others
  std::string Words;     ///< ` and as many sums`
};

/// How the lines of a certificate about barriers name what a feed adds.
struct BarrierWords {
  std::string Barriers; ///< `ready 256 arrivals = 256 threads of ...; `
  std::string Releases; ///< who arrives at an empty barrier: `warps`
  std::string Contents; ///< of a stage: `, part, scale`
};

/// Which runs exploreProtocol goes through.
struct ProtocolScope {
  std::vector<int64_t> Trips; ///< blocks of k, beside those of the stages
  int64_t MostTiles = 4;
  bool RawBlocks = false; ///< stages may have blocks that are left raw
};

/// What is read of a stage at a time, for the picture of loads: chunks whose
/// outer coordinate is a multiple of Step below Outer, and whose inner one is
/// below Inner.
struct StageReads {
  int64_t Outer = 8, Step = 1, Inner = 1;
  /// If not empty, these chunks instead: outer and inner coordinate of each.
  std::vector<std::pair<int64_t, int64_t>> Chunks;
  bool NeedsSwizzle = true;
  const char *Words = ""; ///< what is read, and by whom
  std::string StageNote;  ///< of boxes that do not fill their memory
};

/// What pictures say of a feed, in whole sentences or parts of them that begin
/// with the space that they need.
struct FeedWords {
  std::string Loads;        ///< what happens to a stage when it is there
  std::string Operands;     ///< how wgmma finds its operands
  std::string Pieces;       ///< what lies in a stage when it is read
  std::string Accumulators; ///< what becomes of the instruction's results
  std::string Tile;         ///< who else works at a CTA's tile
  std::string Memory;       ///< between who fills a stage and who empties it
  std::string ExtraName;    ///< of memory of its own, in the map's legend
  int64_t ExtraOffset = 0;  ///< of that memory, which ends at the barriers
  std::string ExtraTable;   ///< the same below the table of offsets
  std::string AfterFull;    ///< what a full barrier allows, and to whom
  std::string AfterReady;   ///< the same of a barrier of its own, a sentence
  std::string WhoReleases;  ///< who arrives at an empty barrier
  std::string Release;      ///< when stages are released, a sentence
};

/// What is said of one stage, in the middle of a launch.
struct StageMoment {
  enum Kind { Multiplied, Rewritten, Full, Underway, JustMultiplied };
  Kind K = Underway;
  const char *Words = "";
};

/// How the producer fills a stage.
class LoadRole {
public:
  explicit constexpr LoadRole(const char *Name) : Name(Name) {}
  virtual ~LoadRole() = default;
  LoadRole(const LoadRole &) = delete;
  LoadRole &operator=(const LoadRole &) = delete;

  const char *const Name; ///< never changes

  // Derivation.

  /// The share of one CTA in a box of the operand \p O, whose extents are
  /// \p Whole, contiguous index first, in which \p AtomRows of the other one
  /// belong together. Fails where they cannot be divided among O.Shares CTAs.
  virtual llvm::Error divideBox(OperandPlan &O, llvm::ArrayRef<int64_t> Whole,
                                int64_t AtomRows) const = 0;
  /// Who loads for whom, and what full barriers wait for; both operands are
  /// known.
  virtual void deriveShares(KernelPlan &P) const = 0;

  /// The validator: \p Fill is filled, each byte once, in the CTAs that need
  /// it.
  virtual bool check(Validator &V, const OperandPlan &O, const StageFill &Fill,
                     const char *Which) const = 0;

  /// The producer's part of the protocol.
  virtual void produce(ProtocolBuilder &B) const = 0;

  virtual void members(MemberVisitor &V, OperandPlan &O) const = 0;
  virtual void printOperand(llvm::raw_ostream &OS,
                            const OperandPlan &O) const = 0;
  virtual void compare(RuntimeComparison &C, const char *Which,
                       const OperandPlan &O,
                       const rt::operand_numbers &N) const = 0;
};

/// How a stage, as TMA has left it, comes to the tensor cores.
class FeedRole {
public:
  explicit constexpr FeedRole(const char *Name) : Name(Name) {}
  virtual ~FeedRole() = default;
  FeedRole(const FeedRole &) = delete;
  FeedRole &operator=(const FeedRole &) = delete;

  const char *const Name; ///< never changes

  // Decisions.

  /// It multiplies the factors of \p C to \p Precision.
  virtual bool suits(const Contraction &C, FactorPrecision Precision) const = 0;
  /// It takes operands whose contiguous indices are \p A and \p B.
  virtual bool reads(Major /*A*/, Major /*B*/) const { return true; }
  /// Fails with the limit that \p P breaks.
  virtual llvm::Error checkChoice(const PlanChoice &P,
                                  const Contraction &C) const = 0;
  /// It may be tried for a tile that a user asked for.
  virtual bool takesTile(const PlanChoice &) const { return true; }
  /// Decisions that are best with it, before clauses are applied and after
  /// operands are exchanged: of a plan of the portfolio, and of a tile that a
  /// user asked for.
  virtual void adapt(PlanChoice &) const {}
  virtual void adaptTile(PlanChoice &P) const { adapt(P); }
  /// The factor that has to be the rows operand, if it cannot be either, where
  /// their contiguous indices are \p A and \p B.
  enum class RowsFactor { Either, A, B };
  virtual RowsFactor rowsFactor(const Contraction &, Major /*A*/,
                                Major /*B*/) const {
    return RowsFactor::Either;
  }
  /// It takes elements of type \p Element that are contiguous across k.
  virtual bool takesAcrossK(ScalarType /*Element*/) const { return true; }
  /// A product of one row takes little longer than reading its matrix.
  virtual bool keepsUpWithMemory() const { return false; }
  /// Elements of k in a stage, and whether there may be so many as \p P has.
  virtual int64_t blockDepth(const Contraction &C) const = 0;
  virtual bool takesDepth(const PlanChoice &P, const Contraction &C) const {
    return P.TileK == blockDepth(C);
  }
  /// Where the size of groups along k is an argument (Groups.h), the multiples
  /// that it mostly is, and more than what is known of all launches; else 0. A
  /// plan that asks for them (PlanChoice::AskedGroup) is faster.
  virtual int64_t usualGroup(const Contraction & /*C*/) const { return 0; }
  /// Why an element's bits depend on more than its row and column, if they do.
  virtual const char *whyNotBatchInvariant() const { return nullptr; }
  /// The member of a plan file that is true where it is chosen, if there is
  /// one; a feed without it is chosen by the operands.
  virtual const char *flag() const { return nullptr; }

  // What follows from them, in the order in which it is derived.

  /// Warpgroups of its own, between the producer and the consumers.
  virtual int64_t warpgroups(const PlanChoice &, int64_t /*Sums*/) const {
    return 0;
  }
  virtual llvm::Expected<OperandPlan> deriveOperand(const OperandRequest &R,
                                                    const PlanChoice &Choice,
                                                    const Machine &M) const = 0;
  /// Columns of a slab of the epilogue, at most.
  virtual int64_t mostSlabColumns() const { return 256; }
  /// Barriers of a stage, the full and the empty one among them.
  virtual int64_t barriersAStage() const { return 2; }
  /// Memory of its own, from byte \p Offset, and who arrives at its barriers
  /// and the empty ones (given as warps); returns the end of the memory.
  virtual int64_t deriveMemory(KernelPlan &, int64_t Offset) const {
    return Offset;
  }
  /// Registers of all warpgroups; fails where the accumulators leave too few.
  virtual llvm::Error deriveRegisters(KernelPlan &P,
                                      const Machine &M) const = 0;

  // Facts.

  /// The instruction takes \p O, an operand of \p P, from registers.
  virtual bool throughRegisters(const KernelPlan &, const OperandPlan &) const {
    return false;
  }
  /// What TMA writes of an operand.
  virtual const std::string &rawLayout(const OperandPlan &O) const = 0;
  virtual SwizzleMode rawSwizzle(const OperandPlan &O) const = 0;
  /// What wgmma reads of it.
  virtual Major readOrder(const OperandPlan &O) const = 0;
  /// The type of what the tensor cores multiply in the place of elements of
  /// type \p Element, where those of the other operand are of type \p Other.
  virtual ScalarType multiplied(ScalarType Element, ScalarType Other) const = 0;
  /// It hands its stages to \p Multiply, or else multiplies them itself, in an
  /// order of its own, by wgmma. A feed that does neither with \p Multiply has
  /// no kernel.
  virtual bool leavesProductsTo(const MultiplyRole &Multiply) const;
  /// Sums can be negated or multiplied between two products, so that one of
  /// them is subtracted, or multiplied with a number.
  virtual bool changesSums() const { return true; }
  /// Several sets of consumers can take turns with the blocks of a tile.
  virtual bool takesBlocksInTurn() const { return false; }
  /// Products of the tensor cores for one of elements.
  virtual int64_t productsOfOne(const KernelPlan &) const { return 1; }
  /// One sentence: what the tensor cores multiply in the place of the elements,
  /// and how it is added up. Empty where they multiply the elements.
  virtual std::string describeProducts(const KernelPlan &) const { return ""; }
  /// The tensor cores are busy enough to run into the power cap.
  virtual bool runsHot() const { return true; }
  /// What bounds a kernel of \p P that nothing greater does.
  virtual const char *bound(const KernelPlan &) const {
    return "waves and epilogues";
  }

  // What the validator checks: each returns false when it has failed \p V.

  virtual bool checkShape(Validator &V) const = 0;
  /// After the instruction's fragment is known to be right.
  virtual bool checkFragment(Validator &) const { return true; }
  virtual bool checkOperand(Validator &V, const OperandPlan &O,
                            const char *Which) const = 0;
  /// Of both operands, which are right by themselves.
  virtual bool checkOperands(Validator &) const { return true; }
  virtual bool checkMemory(Validator &, MemoryMap &) const { return true; }
  virtual ConsumerClaim claim(const KernelPlan &, const Machine &) const {
    return {};
  }
  virtual BarrierWords barrierWords(const KernelPlan &) const {
    return {"", "warps", ""};
  }

  // Its part of the protocol.

  virtual void scope(const KernelPlan &, ProtocolScope &) const {}
  /// Barriers beside the full and the empty ones.
  virtual void addBarriers(ProtocolBuilder &) const {}
  virtual void addStages(ProtocolBuilder &B) const = 0;
  /// Buffers beside stages and staging buffers.
  virtual void addBuffers(ProtocolBuilder &) const {}
  /// The buffer of stage \p Stage of CTA \p CTA that boxes of the rows fill.
  virtual int32_t rowsBuffer(const ProtocolBuilder &B, int32_t CTA,
                             int32_t Stage) const = 0;
  /// Arrivals of a consumer's warp at an empty barrier.
  virtual int32_t releaseArrivals() const { return 1; }
  /// The script of a warp of its own.
  virtual void writeWarp(ProtocolBuilder &) const {}
  /// A consumer's warp multiplies \p Blocks blocks of a tile, of which \p
  /// FirstBlock is the first, and when the next consumer's turn has come, what
  /// it does before it stores.
  virtual void multiply(ProtocolBuilder &B, int64_t FirstBlock,
                        int64_t Blocks) const = 0;
  virtual void finishProducts(ProtocolBuilder &, int64_t /*LastBlock*/) const {}
  /// What the epilogue's use of results is to wgmma.
  virtual ProtocolOp::Kind results(const KernelPlan &) const = 0;

  // Its members of the JSON form, and its lines of the printed plan.

  virtual void decisions(MemberVisitor &, KernelPlan &) const {}
  /// Behind those that all operands have.
  virtual void members(MemberVisitor &V, const KernelPlan &P,
                       OperandPlan &O) const = 0;
  virtual void printOperand(llvm::raw_ostream &OS, const KernelPlan &P,
                            const OperandPlan &O) const = 0;
  virtual void print(llvm::raw_ostream &, const KernelPlan &) const {}

  // Its part of the runtime's plan and kernel.

  virtual void decide(const KernelPlan &, rt::choice &) const {}
  virtual void compare(RuntimeComparison &, const KernelPlan &,
                       const rt::plan_numbers &) const {}
  /// The runtime multiplies elements of these types.
  virtual bool hasKernel(const Operand &A, const Operand &B) const = 0;
  /// Fails with what of \p P no kernel does.
  virtual llvm::Error checkKernel(const KernelPlan &P) const = 0;

  // What pictures show. \p Rows and \p Cols name the arrays.

  virtual FeedWords words(const KernelPlan &P, llvm::StringRef Rows,
                          llvm::StringRef Cols) const = 0;
  virtual StageReads stageReads(const KernelPlan &P,
                                const OperandPlan &O) const = 0;
  /// One for each stage.
  virtual std::vector<StageMoment> moments(const KernelPlan &P) const = 0;
  /// Behind what is said of the pieces that wgmma reads of \p O from memory, or
  /// all that is said of one that it takes from registers.
  virtual std::string readNote(const KernelPlan &, const OperandPlan &,
                               llvm::StringRef /*Array*/) const {
    return "";
  }
};

/// All choices, those that are preferred where they suit first.
llvm::ArrayRef<const FeedRole *> allFeeds();
/// Those that multiply the factors of \p C to \p Precision, in this order; some
/// operands have none.
std::vector<const FeedRole *> feedsFor(const Contraction &C,
                                       FactorPrecision Precision);
/// Those among them that take operands whose contiguous indices are \p A and
/// \p B.
std::vector<const FeedRole *>
feedsFor(const Contraction &C, FactorPrecision Precision, Major A, Major B);
/// The one that takes the operands of \p C by their types, whatever else is
/// decided.
const FeedRole &defaultFeed(const Contraction &C);

/// By which instruction the tensor cores multiply what a feed has brought, and
/// what becomes of the sums that it leaves.
class MultiplyRole {
public:
  using Clause = Directives::AccumulateKind;

  constexpr MultiplyRole(const char *Name, Clause Kind,
                         const char *Instruction = "wgmma")
      : Name(Name), Kind(Kind), Instruction(Instruction) {}
  virtual ~MultiplyRole() = default;
  MultiplyRole(const MultiplyRole &) = delete;
  MultiplyRole &operator=(const MultiplyRole &) = delete;

  const char *const Name; ///< in plan files; never changes
  const Clause Kind; ///< of the clause that asks for it; Default: none does
  const char *const Instruction; ///< as pictures call it

  // Decisions.

  /// Its sums of products of elements of type \p E are as exact as they should
  /// be.
  virtual bool suits(const ElementType &E) const = 0;
  /// Its instruction adds products of elements of type \p E.
  virtual bool adds(const ElementType &) const { return true; }
  /// It multiplies the sums of each block by what scales its elements.
  virtual bool scales() const { return false; }

  // What follows from them.

  /// The instruction and what it leaves with each thread; its columns and the
  /// operands' types are known.
  virtual llvm::Error derive(KernelPlan &P) const = 0;
  /// Fails where a thread has too few registers, for a feed that leaves
  /// products to this role.
  virtual llvm::Error checkRegisters(const KernelPlan &P) const = 0;

  // Facts.

  /// Stages of a tile that are given back together, when their products have
  /// left the accumulators. 0: each when the next one is being multiplied.
  virtual int64_t window(const KernelPlan &) const { return 0; }
  /// A window's sums leave their accumulators while the products of the next
  /// one are computed, in other accumulators.
  virtual bool promotesBehind(const KernelPlan &) const { return false; }
  /// Its instruction takes both operands from registers, as fragments that
  /// consumers load, and leaves its sums in ordinary registers. If not, it
  /// reads them in shared memory through descriptors.
  virtual bool fromFragments() const { return false; }
  /// `wgmma m64n256k16`
  virtual std::string instruction(const KernelPlan &P) const = 0;
  /// The type of the instruction's sums.
  virtual const SumType &sums(const KernelPlan &P) const;

  // What the validator checks.

  virtual bool check(Validator &V) const = 0;
  virtual ConsumerClaim claim(const KernelPlan &) const { return {}; }

  // Its part of the protocol, where the feed leaves products to it.

  virtual void scope(const KernelPlan &, ProtocolScope &) const {}
  /// A warp multiplies \p Block, and waits for what has to be done before the
  /// next one: where it ends a window or is the last of a tile for all products
  /// of the window.
  virtual void multiply(ProtocolBuilder &B, int64_t Block,
                        bool EndsWindow) const = 0;
  /// What becomes of the sums of window number \p Window of a tile, once its
  /// stages have been given back.
  virtual void promote(ProtocolBuilder &, int64_t /*Window*/) const {}
  /// Without windows, waits for the products of the last block.
  virtual void finish(ProtocolBuilder &) const {}
  /// What the epilogue's use of results is to the instruction.
  virtual ProtocolOp::Kind results() const { return ProtocolOp::UseResults; }

  // Its members of the JSON form, and its line of the printed plan.

  virtual void members(MemberVisitor &V, KernelPlan &P) const = 0;
  virtual void print(llvm::raw_ostream &OS, const KernelPlan &P) const = 0;

  // Its part of the runtime's plan and kernel.

  virtual void decide(const KernelPlan &, rt::choice &) const {}
  virtual void compare(RuntimeComparison &C, const KernelPlan &P,
                       const rt::choice &Choice) const = 0;
  virtual llvm::Error checkKernel(const KernelPlan &P) const = 0;

  // What pictures say.

  /// What becomes of the instruction's results, sentences that begin with a
  /// space.
  virtual std::string words(const KernelPlan &) const { return ""; }
  /// What multiplies 64 rows of a tile by all columns, for InstructionK of k:
  /// `one wgmma m64n256k16`.
  virtual std::string ofBlock(const KernelPlan &P) const {
    return "one " + instruction(P);
  }
  /// Who leaves 64 rows of sums with a warpgroup, the subject of a sentence and
  /// its verb.
  virtual const char *leaves() const { return "A wgmma leaves"; }
};

/// All choices, those that are preferred where they suit first.
llvm::ArrayRef<const MultiplyRole *> allMultiplies();
/// The first that suits products of elements of type \p Multiplied. nullptr:
/// no instruction multiplies these.
const MultiplyRole *defaultMultiply(ScalarType Multiplied);
/// The one that a clause asks for; nullptr: it asks for none, and the types
/// decide (defaultMultiply).
const MultiplyRole *multiplyFor(MultiplyRole::Clause Kind);

/// Which consumers multiply which tiles, and who waits for whom.
class ScheduleRole {
public:
  using Clause = Directives::ScheduleKind;

  constexpr ScheduleRole(const char *Name, std::optional<Clause> Kind,
                         const char *Printed, const char *Remark)
      : Name(Name), Kind(Kind), Printed(Printed), Remark(Remark) {}
  virtual ~ScheduleRole() = default;
  ScheduleRole(const ScheduleRole &) = delete;
  ScheduleRole &operator=(const ScheduleRole &) = delete;

  const char *const Name;           ///< in plan files; never changes
  const std::optional<Clause> Kind; ///< of the clause that asks for it, if any
  /// Behind the number of consumers: in a printed plan, and in what `explain`
  /// and pictures say.
  const char *const Printed, *const Remark;

  // Decisions and what follows from them.

  virtual llvm::Error checkChoice(const PlanChoice &) const {
    return llvm::Error::success();
  }
  /// What it needs of a plan that had another schedule.
  virtual void adapt(PlanChoice &) const {}
  /// The schedule of plans whose registers or stages do not suffice for this
  /// one, if there is one.
  virtual const ScheduleRole *otherwise() const { return nullptr; }
  /// Consumers of a plan file that does not say how many.
  virtual int64_t usualConsumers(const PlanChoice &P) const = 0;
  virtual int64_t mostConsumers() const { return 3; }
  virtual int64_t consumersOfTile(const PlanChoice &P) const = 0;
  /// Those that store, the first ones.
  virtual int64_t storingConsumers(const PlanChoice &P) const {
    return P.ConsumerWarpgroups;
  }
  /// Sets of consumers, each with rows enough for a tile, that take turns with
  /// the tile's blocks of k. A feed has to know of them (takesBlocksInTurn).
  virtual int64_t sets() const { return 1; }
  /// Registers of a thread of the producer, if it has more than one consumer
  /// and no transform.
  virtual int64_t producerRegisters() const { return 40; }
  /// Bytes from the rows of one consumer to those of the next.
  virtual int64_t groupBytes(const KernelPlan &P) const = 0;
  /// \p FirstBarrier is the first named one that nobody else uses.
  virtual void deriveBarriers(KernelPlan &, int64_t /*FirstBarrier*/,
                              const Machine &) const {}
  /// Memory of its own, from byte \p Offset; returns its end.
  virtual int64_t deriveMemory(KernelPlan &, int64_t Offset) const {
    return Offset;
  }

  // What the validator checks.

  virtual bool checkShape(Validator &) const { return true; }
  virtual bool checkGroupBytes(Validator &V, const OperandPlan &O,
                               const char *Which) const = 0;
  virtual bool checkNamedBarriers(Validator &V) const = 0;
  virtual bool checkMemory(Validator &V, MemoryMap &Map) const;

  // Its part of the protocol.

  virtual bool takes(int64_t /*Tile*/, int32_t /*Group*/) const { return true; }
  virtual void beforeTile(ProtocolBuilder &, int64_t /*Tile*/,
                          int32_t /*Group*/) const {}
  virtual void afterProducts(ProtocolBuilder &, int64_t /*Tile*/,
                             int32_t /*Group*/) const {}

  // Its part of the runtime's plan and kernel.

  virtual void decide(rt::choice &C) const = 0;
  virtual llvm::Error checkKernel(const KernelPlan &) const {
    return llvm::Error::success();
  }

  // What pictures say.

  /// The consumers that compute a tile, one line each. \p Row is the index
  /// along the rows.
  virtual std::vector<std::string> consumers(const KernelPlan &P,
                                             llvm::StringRef Row) const = 0;
  /// What the other warpgroups do meanwhile.
  virtual const char *meanwhile() const = 0;
  /// Who reads the rows of a stage.
  virtual const char *readers() const { return ""; }
  /// What the rows of one warpgroup are those of.
  virtual const char *rowsOf() const = 0;
  /// The consumers that have the rows number \p Group of those of a tile.
  virtual std::string whoHas(const KernelPlan &P, int64_t Group) const;
};

llvm::ArrayRef<const ScheduleRole *> allSchedules();
/// nullptr: the clause asks for none.
const ScheduleRole *scheduleFor(ScheduleRole::Clause Kind);

/// How the first output leaves the registers.
class StoreRole {
public:
  explicit constexpr StoreRole(const char *Name) : Name(Name) {}
  virtual ~StoreRole() = default;
  StoreRole(const StoreRole &) = delete;
  StoreRole &operator=(const StoreRole &) = delete;

  const char *const Name; ///< in plan files; never changes

  /// It stores \p O, which is made of sums of type \p Sum.
  virtual bool suits(const Output &O, ScalarType Sum) const = 0;
  /// The numbers of the way out, but for where its memory lies.
  virtual llvm::Expected<EpiloguePlan>
  derive(const Output &Out, const KernelPlan &P, const Machine &M) const = 0;

  /// The elements leave by TMA, from staging buffers, if the launch can.
  virtual bool stages() const = 0;

  virtual bool check(Validator &V) const = 0;
  virtual bool checkMemory(Validator &) const { return true; }
  virtual bool checkNamedBarriers(Validator &V) const = 0;

  virtual void store(ProtocolBuilder &B, int32_t Group, bool Leader,
                     int32_t &Slab) const = 0;
  virtual void finish(ProtocolBuilder &, bool /*Leader*/) const {}

  virtual void members(MemberVisitor &, EpiloguePlan &) const {}
  virtual void print(llvm::raw_ostream &OS, const KernelPlan &P) const = 0;

  virtual void decide(const KernelPlan &, rt::choice &) const {}
  virtual void compare(RuntimeComparison &, const KernelPlan &,
                       const rt::plan_numbers &) const {}
  virtual llvm::Error checkKernel(const KernelPlan &, ScalarType) const {
    return llvm::Error::success();
  }
};

/// All choices, those that are preferred where they suit first.
llvm::ArrayRef<const StoreRole *> allStores();
/// The first that stores \p O, which is made of sums of type \p Sum.
const StoreRole &storeFor(const Output &O, ScalarType Sum);
/// What the kernel of \p P stores by, if \p Output is how the first output
/// leaves in the end: that, unless it stores sums of slices.
const StoreRole &storeOf(const PlanChoice &P, const StoreRole &Output);

} // namespace warpwright

#endif // WARPWRIGHT_PLAN_ROLES_H
