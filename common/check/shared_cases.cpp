#include <fmt/format.h>

#include <algorithm>

#include "check/case_list.hpp"

namespace nbody::check {
namespace {

// Threads or ranks.
struct Shared {
  Group group;
  unsigned among;
  const char* word;
};

void share(Case& test, const Shared& shared) {
  const char* kind = test.group == Group::forces          ? "forces"
                     : test.group == Group::steps         ? "steps"
                     : test.group == Group::adaptive_step ? "adaptive steps"
                                                          : test.what.c_str();
  const bool is_run = test.request.steps > 1 && !test.request.every_state;
  test.what = fmt::format("{}{} on {} {}{}", kind, is_run ? " in one go" : "", shared.among,
                          shared.word, shared.among > 1 ? "s" : "");
  test.group = shared.group;
  (shared.group == Group::ranks ? test.ranks : test.request.threads) = shared.among;
}

// Some steps in one go, fixed or adaptive.
void share_a_run(CaseList& list, std::size_t n, const Shared& shared) {
  Draw& draw = list.draw;
  const bool adaptive = draw.one_in(2);
  const Scene scene = draw.scene_for(n, adaptive);
  list.keep(steps_in_one_go(without_encounters(scene), draw.between(2, 5), short_time));
  Case& test = list.cases.back();
  if (adaptive) {
    test.group = Group::adaptive_step;
    list.make_adaptive(test);
  }
  share(test, shared);
}

// Every aspect on one number of threads or ranks.
void share_all(CaseList& list, std::size_t n, const Shared& shared) {
  Draw& draw = list.draw;
  share(list.forces_of(draw.scene(CheckScene::equal_masses, n), ""), shared);
  share(list.single_steps(without_encounters(draw.scene(n)), 2), shared);
  share(list.adaptive_steps(draw.adaptive_scene(n), 2), shared);
  share_a_run(list, n, shared);
  const char* scheme = draw.one_in(2) ? "kdk" : "dkd";
  const bool adaptive = draw.one_in(2);
  const Scene scene = draw.scene_for(n, adaptive);
  share(list.with_integrator(scheme, without_encounters(scene), adaptive), shared);
  share(list.jerk_of(draw.scene(n)), shared);
}

void share_repeats(CaseList& list, const Case& test, int repeats, const Shared& shared) {
  for (int repeat = 0; repeat < repeats; ++repeat) {
    list.cases.push_back(test);
    share(list.cases.back(), shared);
  }
}

// Fewer bodies than threads, as many, a multiple, and a rest.
std::vector<std::size_t> shared_sizes(unsigned among, Draw& draw) {
  const std::size_t most = among > 8 ? 10 : 40;
  std::vector<std::size_t> sizes = {among, among * draw.between(2, most),
                                    draw.with_rest(among, 2, most)};
  if (among > 2) sizes.push_back(draw.between(2, among - 1));
  return sizes;
}

Shared threads(unsigned among) { return {Group::threads, among, "thread"}; }
Shared ranks(unsigned among) { return {Group::ranks, among, "rank"}; }

}  // namespace

void add_threads(CaseList& list) {
  Draw& draw = list.draw;
  const auto more = static_cast<unsigned>(draw.between(9, 72));
  for (const unsigned among : {2u, 3u, 4u, 5u, 6u, 7u, 8u, more}) {
    for (const std::size_t n : shared_sizes(among, draw)) share_all(list, n, threads(among));
  }
  // The same bodies several times: a race shows as an answer that is wrong now and then.
  const Scene scene = draw.scene(CheckScene::heavy_tail, draw.between(1000, 1040));
  const Case forces = list.forces_of(scene, "");
  list.cases.pop_back();
  forces.reference();  // once for all copies
  for (const unsigned among : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 13u, 24u}) {
    share_repeats(list, forces, 3, threads(among));
  }
  for (const unsigned among : {2u, 3u, 8u}) {
    const Scene large = without_encounters(draw.adaptive_scene(draw.between(1000, 1040)));
    Case steps = list.adaptive_steps(large, 2);
    list.cases.pop_back();
    steps.request.every_state = false;
    steps.request.setting.dt_floor = 0;  // a floor would hide a wrong minimum
    steps.run();
    share_repeats(list, steps, 2, threads(among));
  }
}

// For double: two threads, and another number.
void add_some_threads(CaseList& list) {
  for (const unsigned among : {2u, static_cast<unsigned>(list.draw.between(3, 8))}) {
    for (const std::size_t n : shared_sizes(among, list.draw)) share_all(list, n, threads(among));
  }
}

// Kernels that are right for the default block only.
void add_other_blocks(CaseList& list) {
  Draw& draw = list.draw;
  for (const unsigned block : {16u, 64u, 128u, 512u}) {
    // Narrow blocks are many blocks.
    const std::size_t blocks = block < 64 ? 70 : 1;
    for (const std::size_t n : {block * draw.between(1, 2), draw.between(2, block - 1),
                                draw.with_rest(block, blocks, blocks + 1)}) {
      Case& test = list.forces_of(draw.scene(CheckScene::equal_masses, n), "");
      test.group = Group::threads;
      test.what = fmt::format("forces with --block {}", block);
      test.block = block;
    }
    const Scene scene = without_encounters(draw.scene(CheckScene::equal_masses, block + 1));
    Case test = steps_in_one_go(scene, 3, short_time);
    test.group = Group::threads;
    test.what = fmt::format("3 steps with --block {}", block);
    test.block = block;
    list.keep(std::move(test));
  }
}

// Fewer bodies than ranks, not a multiple of them, and enough that a message exceeds what a
// library sends eagerly (64 KiB with MPICH).
void add_ranks(CaseList& list) {
  Draw& draw = list.draw;
  for (unsigned among = 1; among <= 8; ++among) {
    if (among == list.extent.ranks) continue;
    // Up to as many bodies as ranks, and a rest: processes are slow to ask.
    for (const std::size_t n :
         {draw.between(std::min(2u, among), among), draw.with_rest(among, 2, 40)}) {
      share_all(list, n, ranks(among));
    }
    const Scene scene = without_encounters(draw.scene(draw.between(1000, 1040)));
    share(list.single_steps(scene, 2), ranks(among));
  }
  // More processes than many a machine has cores take turns: few requests of few bodies.
  const auto more = static_cast<unsigned>(draw.between(9, 12));
  const std::size_t few = draw.with_rest(more, 2, 8);
  share(list.forces_of(draw.scene(CheckScene::equal_masses, few), ""), ranks(more));
  share(list.single_steps(without_encounters(draw.scene(few)), 2), ranks(more));
  share_a_run(list, few, ranks(more));
  for (const unsigned among : {2u, 3u}) {
    const Scene scene = draw.scene(CheckScene::equal_masses, 20000 + draw.between(1, 20));
    Case& test = list.single_steps(scene, 1);
    test.request.accelerations = false;
    share(test, ranks(among));
  }
}

}  // namespace nbody::check
