// The integrators as the check program judges them: an honest simulator in all of them, and kicks
// and drifts that are wrong.
#include <gtest/gtest.h>

#include <set>

#include "check/test_check_program.hpp"
#include "physics/scheme.hpp"

namespace nbody::check {
namespace {

class Integrators : public test::CheckProgram {
 protected:
  // Rows of the group, of what was checked last.
  std::vector<nlohmann::json> rows() const {
    std::vector<nlohmann::json> found;
    const auto all = json();  // a loop over a part of it would outlive a temporary
    for (const auto& row : all["implementations"][0]["cases"]) {
      if (row["group"] == "integrators") found.push_back(row);
    }
    return found;
  }
};

// Of single steps and of the order, but for those that need the jerk: it has none.
TEST_F(Integrators, AnHonestOnePassesInAllThatItOffers) {
  const Outcome run = quick("right --no-double --json result.json");
  EXPECT_EQ(run.status, 0) << run.out;
  std::set<std::string> judged;
  for (const auto& row : rows()) {
    EXPECT_EQ(row["verdict"], "passed") << row;
    EXPECT_FALSE(row["error"].is_null()) << row;
    judged.insert(row["scene"]);
  }
  EXPECT_TRUE(judged.count("kdk") && judged.count("yoshida4: order 4")) << run.out;
  EXPECT_EQ(judged.count("hermite4"), 0u);
}

TEST_F(Integrators, AWrongKickOrDriftGetsItsOwnSentence) {
  for (const auto& [name, sentence] : {std::pair{"half_kick", "kick() makes half a kick"},
                                       std::pair{"lost_drift", "drift() moves no body"}}) {
    const Outcome run = quick(std::string(name) + " --no-double --json result.json");
    EXPECT_EQ(run.status, 1) << name;
    EXPECT_TRUE(test::contains(run.out, sentence)) << run.out;
    EXPECT_FALSE(rows().empty()) << name;
  }
}

}  // namespace
}  // namespace nbody::check
