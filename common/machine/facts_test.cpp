#include "machine/facts.hpp"

#include <gtest/gtest.h>
#include <sched.h>

namespace nbody::machine {
namespace {

TEST(Facts, AreThere) {
  const MachineFacts facts = machine_facts();
  EXPECT_FALSE(facts.cpu.empty());
  EXPECT_NE(facts.system.find("Linux"), std::string::npos) << facts.system;
  EXPECT_FALSE(facts.compiler.empty());
  EXPECT_GE(facts.cores, 1u);
  EXPECT_LE(facts.cores, facts.hardware_threads);
}

// What the system has does not matter, only what this process may use.
TEST(Facts, CountTheProcessorsThatThisProcessMayUse) {
  cpu_set_t before;
  CPU_ZERO(&before);
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(machine_facts().hardware_threads, static_cast<unsigned>(CPU_COUNT(&before)));
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(machine_facts().hardware_threads, 1u);
  EXPECT_EQ(machine_facts().cores, 1u);
  sched_setaffinity(0, sizeof before, &before);
}

TEST(Facts, CachesGrow) {
  const MachineFacts facts = machine_facts();
  if (facts.l1d == 0 || facts.l2 == 0) GTEST_SKIP() << "the system does not tell";
  EXPECT_GE(facts.l1d, 4u << 10);
  EXPECT_LT(facts.l1d, facts.l2);
  if (facts.l3 != 0) {
    EXPECT_LT(facts.l2, facts.l3);
  }
}

}  // namespace
}  // namespace nbody::machine
