#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "bodies/text_file.hpp"
#include "check/test_answers.hpp"

namespace nbody::check {
namespace {

// The answer of a program with this formula, which sees working units.
Vectors<double> answer_of(const Mistake& mistake, const Scene& scene) {
  const Units units = Units::for_bodies(scene.bodies, scene.setting.G);
  const Bodies<double> b = units.to_working(scene.bodies);
  const double softening = units.to_length(scene.setting.softening);
  const double G = units.to_G(scene.setting.G);
  return test::accelerations(scene, [&](std::size_t i, std::size_t j) {
    const double d = distance(b, i, j);
    return mistake.factor({i, j, b.size(), d * d, softening, b.mass[i], b.mass[j], G, true});
  });
}

class Formula : public testing::TestWithParam<Mistake> {};

// Wherever it changes the answer, in every world, with few bodies and with many.
TEST_P(Formula, GetsItsSentence) {
  std::size_t wrong = 0;
  for (const std::uint64_t world : test::worlds) {
    for (const std::size_t n : {7, 17, 129, 1000}) {
      const Scene scene = make_check_scene(CheckScene::heavy_tail, n, world);
      const Vectors<double> got = answer_of(GetParam(), scene);
      if (force_error(reference_of(scene), got).max <= 1e-5) continue;
      ++wrong;
      EXPECT_EQ(test::diagnosis_of(scene, got), GetParam().diagnosis) << n << ", world " << world;
    }
  }
  EXPECT_GE(wrong, 4u);
}

INSTANTIATE_TEST_SUITE_P(Mistakes, Formula,
                         testing::ValuesIn(test::mistakes_recognised(Recognised::by_formula)),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Mistakes, AreWholeRows) {
  std::set<std::string> names;
  for (const Mistake& mistake : mistakes()) {
    EXPECT_TRUE(names.insert(mistake.name).second) << mistake.name << " twice";
    EXPECT_NE(*mistake.code, 0) << mistake.name;
    EXPECT_NE(*mistake.diagnosis, 0) << mistake.name;
    const bool by_formula = mistake.recognised == Recognised::by_formula;
    EXPECT_TRUE(!by_formula || mistake.factor != nullptr) << mistake.name;
    const bool by_scheme = mistake.recognised == Recognised::by_scheme;
    EXPECT_TRUE(!by_scheme || mistake.scheme != StepFactors()) << mistake.name;
  }
}

// CMake finds the rows by their names; each is a program that `./lab check wrong` judges.
TEST(Mistakes, AreAllInTheManifest) {
  const auto manifest = nlohmann::json::parse(read_text_file(LAB_MANIFEST));
  std::vector<std::string> rows, names;
  for (const auto& row : manifest["implementations"]) {
    if (row["target"] == "wrong_wrong") rows.push_back(row["name"]);
  }
  for (const Mistake& mistake : mistakes()) names.emplace_back(mistake.name);
  EXPECT_EQ(rows, names);
}

TEST(Mistakes, StandInTheDocument) {
  EXPECT_NE(read_text_file(CHECKING_DOCUMENT).find(markdown_table()), std::string::npos)
      << "docs/checking.md wants what `build/release/bin/wrong/wrong --list` prints";
}

TEST(Mistakes, AreFoundByName) {
  EXPECT_STREQ(mistake_named("weak")->name, "weak");
  EXPECT_EQ(mistake_named("no such"), nullptr);
}

}  // namespace
}  // namespace nbody::check
