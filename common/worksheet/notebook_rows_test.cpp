#include "worksheet/notebook_rows.hpp"

#include <gtest/gtest.h>

#include "bodies/input_error.hpp"

namespace nbody {
namespace {

// number, name, n, threads, expected, measured, interactions/s
const NotebookRows rows = {{1, "mine", 5000, 1, 1.5, 1.4, 2e9},
                           {2, "mine", 5000, 2, 2, 1.9, 3.8e9},
                           {3, "mine_fused", 5000, 1, 0, 1.2, 2.5e9},
                           {4, "mine_fused", 256, 2, 1, 0.9, 1e9},
                           {7, "mine_fused", 256, 1, 1, 1.1, 1.25e9}};

std::vector<double> values(const NotebookNumbers& numbers) {
  std::vector<double> values;
  for (const NotebookNumber& number : numbers) values.push_back(number.value);
  return values;
}

TEST(NotebookRows, AreReadFromJson) {
  const NotebookRows read = notebook_rows_of(
      R"([{"row": 3, "name": "mine", "n": 2000.0, "threads": 2, "expected": 1.5, "measured": null},
          {"name": "other", "measured": 1.25, "interactions_per_s": 3e8, "idea": "roots"}])");
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].row, 3);
  EXPECT_EQ(read[0].name, "mine");
  EXPECT_EQ(read[0].n, 2000);
  EXPECT_EQ(read[0].threads, 2);
  EXPECT_EQ(read[0].measured, 0);
  EXPECT_EQ(read[1].measured, 1.25);
  EXPECT_EQ(read[1].interactions_per_s, 3e8);
  EXPECT_TRUE(notebook_rows_of("[]").empty());
  for (const char* bad : {"", "no json", "[1]", "[{}]", R"([{"name": 7}])"}) {
    EXPECT_THROW(notebook_rows_of(bad), InputError) << bad;
  }
}

TEST(NotebookRows, OnlyPredictedAndMeasuredOnesAreIdeas) {
  EXPECT_EQ(measured_ideas(rows), 4);
  EXPECT_EQ(measured_ideas({}), 0);
  EXPECT_EQ(measured_ideas({{1, "mine", 5000, 1, 1.5, 0, 0}}), 0);
}

TEST(NotebookNumbers, OfTheRowsThatAQuestionIsAbout) {
  EXPECT_EQ(values(giga_interactions_per_s(rows, {"mine", 5000, 1})), std::vector<double>{2});
  EXPECT_EQ(values(giga_interactions_per_s(rows, {"", 256, 0})), (std::vector<double>{1, 1.25}));
  EXPECT_TRUE(giga_interactions_per_s(rows, {"mine", 1000, 1}).empty());
  EXPECT_EQ(values(expected_gains(rows)), (std::vector<double>{1.5, 2, 1, 1}));
  EXPECT_EQ(values(measured_gains(rows)), (std::vector<double>{1.4, 1.9, 1.2, 0.9, 1.1}));
}

TEST(NotebookNumbers, SpeedUpsAreOfOneVersionAndSize) {
  EXPECT_EQ(values(speed_ups_of_threads(rows, 0, 2)), (std::vector<double>{1.9, 0.8}));
  EXPECT_EQ(values(speed_ups_of_threads(rows, 256, 0)), std::vector<double>{0.8});
  EXPECT_EQ(speed_ups_of_threads(rows, 256, 0)[0].where, "rows 7, 4");
  EXPECT_TRUE(speed_ups_of_threads(rows, 0, 4).empty());
}

TEST(Disagreement, IsToldWithTheNearestNumber) {
  const NotebookNumbers numbers = {{2, "row 1"}, {4.2, "row 5"}};
  EXPECT_EQ(disagreement(6.1, numbers), "4.2 in the notebook (row 5)");
  EXPECT_EQ(disagreement(1, numbers), "2 in the notebook (row 1)");
  EXPECT_EQ(disagreement(4.8, numbers), "");
  EXPECT_EQ(disagreement(1.75, numbers), "");
  EXPECT_EQ(disagreement(6.1, {}), "");
}

}  // namespace
}  // namespace nbody
