#include "machine/card.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace nbody {
namespace {

Card made_up_card() {
  Card card;
  card.facts = {"Some CPU", "Some system", "some++", 2,        4,   1.5,
                48 << 10,   2 << 20,       0,        {"sse2"}, true};
  card.clock_hz = 3.25e9;
  card.prices = {{"add", "float", "", true, {4, 0.01}, {0.5, 0}},
                 {"fma", "float", "no such instruction", false, {}, {}},
                 {"add", "double", "", true, {4.25, 0}, {0.75, 0}},
                 {"fma", "double", "no such instruction", false, {}, {}}};
  card.ceilings.flops_per_second = {9.9e9, 0.012};
  card.ceilings.l1_bytes_per_second = {30e9, 0};
  card.ceilings.memory_bytes_per_second = {12e9, 0};
  card.ceilings.l1_array = 24 << 10;
  card.ceilings.memory_array = 64 << 20;
  return card;
}

void expect_line(const std::string& text, const std::vector<std::string>& fragments) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::size_t at = 0;
    for (const std::string& fragment : fragments) {
      if (at != std::string::npos) at = line.find(fragment, at);
    }
    if (at != std::string::npos) return;
  }
  ADD_FAILURE() << "no line with '" << fragments.front() << "' and the rest in\n" << text;
}

TEST(CardText, ShowsTheFacts) {
  const std::string text = card_text(made_up_card());
  expect_line(text, {"CPU", "Some CPU, in a virtual machine"});
  expect_line(text, {"usable", "2 cores, 4 hardware threads", "1.5 at a time"});
  expect_line(text, {"clock", "3.25 GHz"});
  expect_line(text, {"caches", "L1d 48 KiB", "L2 2 MiB", "L3 unknown"});
}

TEST(CardText, ShowsPricesSideBySideAndWhatIsNotThere) {
  const std::string text = card_text(made_up_card());
  expect_line(text, {"add", "4.0", "0.5", "4.2", "0.8"});
  expect_line(text, {"fma", "none", "none", "none", "none", "no such instruction"});
}

TEST(CardText, ShowsCeilings) {
  const std::string text = card_text(made_up_card());
  expect_line(text, {"peak", "9.9", "Gflop/s", "1 %"});
  expect_line(text, {"peak with fma", "none"});
  expect_line(text, {"loads from L1", "30.0", "GB/s", "array of 24 KiB"});
  expect_line(text, {"loads from memory", "12.0", "GB/s", "array of 64 MiB"});
  EXPECT_EQ(text.find("may come from"), std::string::npos);
}

TEST(CardText, SaysWhenTheArrayFitsIntoACache) {
  Card card = made_up_card();
  card.facts.l3 = 256u << 20;
  expect_line(card_text(card), {"loads from memory", "less than the 256 MiB of cache"});
}

TEST(CardJson, HoldsEverything) {
  const auto json = nlohmann::json::parse(card_json(made_up_card()));
  EXPECT_EQ(json["machine"]["cpu"], "Some CPU");
  EXPECT_EQ(json["machine"]["virtual_machine"], true);
  EXPECT_EQ(json["machine"]["l1d_bytes"], 48 << 10);
  EXPECT_EQ(json["clock_hz"], 3.25e9);
  ASSERT_EQ(json["prices"].size(), 4u);
  EXPECT_EQ(json["prices"][0]["latency_cycles"]["median"], 4.0);
  EXPECT_EQ(json["prices"][2]["one_every_cycles"]["median"], 0.75);
  EXPECT_EQ(json["prices"][1]["there"], false);
  EXPECT_FALSE(json["prices"][1].contains("latency_cycles"));
  EXPECT_EQ(json["ceilings"]["flops_per_s"]["median"], 9.9e9);
  EXPECT_EQ(json["ceilings"]["memory_load_bytes_per_s"]["median"], 12e9);
}

}  // namespace
}  // namespace nbody
