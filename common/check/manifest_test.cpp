#include "check/manifest.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "check/test_manifest.hpp"
#include "core/test_message.hpp"
#include "core/text_file.hpp"
#include "machine/machine.hpp"

namespace nbody::check {
namespace {

namespace fs = std::filesystem;

class Manifest : public testing::Test {
 protected:
  ~Manifest() override { fs::remove_all(folder); }
  fs::path written(const std::string& text) const {
    fs::create_directories(folder);
    write_text_file(folder / "manifest.json", text);
    return folder / "manifest.json";
  }
  const fs::path folder =
      fs::path(testing::TempDir()) / ("check_manifest_" + std::to_string(getpid()));
};

ImplementationEntry entry(const std::string& part, const std::string& name) {
  return {part, name, "", "rung", "", "", ""};
}
const std::vector<ImplementationEntry> some = {entry("part1", "naive"), entry("part2", "naive"),
                                               entry("part1", "mine"), entry("part1", "tiled")};

std::string names_of(const std::vector<ImplementationEntry>& entries) {
  std::string text;
  for (const auto& each : entries) text += each.part + "/" + each.name + " ";
  return text;
}

TEST_F(Manifest, LaunchersAreOfThePartOrOfTheRow) {
  nlohmann::json manifest = test::manifest_of({test::manifest_row("part4", "a", "p"),
                                               test::manifest_row("part4", "b", "p"),
                                               test::manifest_row("part1", "c", "p")});
  manifest["parts"] = {{{"name", "part4"}, {"launcher", {"mpirun", "-n", "RANKS"}}, {"ranks", 4}}};
  manifest["implementations"][1]["launcher"] = {"box"};
  const auto entries = read_manifest(written(manifest.dump()));
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].programs[0].launcher.words,
            (std::vector<std::string>{"mpirun", "-n", "RANKS"}));
  EXPECT_EQ(entries[0].programs[0].launcher.ranks, 4u);
  EXPECT_EQ(entries[1].programs[0].launcher.words, std::vector<std::string>{"box"});
  EXPECT_TRUE(entries[2].programs[0].launcher.words.empty());
}

TEST_F(Manifest, IsReadInItsOrder) {
  const fs::path file = written(R"({"version": 2, "parts": [], "implementations": [
    {"part": "part1", "name": "naive", "summary": "s", "kind": "naive", "class": "Naive", "flags": ["-O3", "-g"],
     "needs": ["avx2", "fma"], "expect": "", "arguments": ["--a", "b"], "program": "bin/part1/naive", "programs": [
       {"precision": "float", "instruction_set": "", "program": "bin/part1/naive"},
       {"precision": "double", "instruction_set": "", "program": "bin/part1/naive_double"}],
     "count": {"program": "bin/part1/naive_count"}},
    {"part": "part9", "name": "b", "summary": "say \"hi\"", "kind": "exhibit", "class": "", "flags": [],
     "needs": [], "expect": "swapped", "arguments": [], "program": "/far/away", "programs": [
       {"precision": "float", "instruction_set": "avx2", "program": "/far/away"}], "count": null}]})");
  const auto entries = read_manifest(file);
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(names_of(entries), "part1/naive part9/b ");
  EXPECT_EQ(entries[0].flags, "-O3 -g");
  EXPECT_EQ(entries[0].needs, "avx2 fma");
  EXPECT_EQ(entries[0].programs[0].file, file.parent_path() / "bin/part1/naive");
  const auto in_double = program_in(entries[0], Precision::double_precision);
  ASSERT_TRUE(in_double);
  EXPECT_EQ(in_double->arguments, (std::vector<std::string>{"--a", "b"}));
  EXPECT_EQ(in_double->file, file.parent_path() / "bin/part1/naive_double");
  EXPECT_EQ(
      difference({Precision::double_precision, false, 1, "part1", "naive", ""}, in_double->hello),
      "");
  EXPECT_NE(
      difference({Precision::double_precision, false, 1, "part1", "mine", ""}, in_double->hello),
      "");
  EXPECT_NE(difference({Precision::double_precision, false, 1, "part1", "naive", "avx2"},
                       in_double->hello),
            "");
  EXPECT_FALSE(program_in(entries[1], Precision::double_precision));
  // Made of no header of ours, it may call itself what it likes.
  EXPECT_EQ(difference({Precision::single_precision, false, 1, "", "forces.py", ""},
                       entries[1].programs[0].hello),
            "");
  EXPECT_EQ(entries[1].summary, "say \"hi\"");
  EXPECT_EQ(entries[1].expect, "swapped");
  EXPECT_EQ(entries[1].programs[0].file, "/far/away");
}

TEST_F(Manifest, MissingFileIsNamed) {
  EXPECT_EQ(message_of([] { read_manifest("/nowhere/manifest.json"); }).rfind("/nowhere/man", 0),
            0u);
}

TEST_F(Manifest, WhatIsNoManifestIsRefused) {
  std::string row = test::manifest_row("p", "n", "b").dump();
  row.pop_back();  // its last brace
  const auto of = [](const std::string& rows) {
    return R"({"version": 2, "parts": [], "implementations": [)" + rows + "]}";
  };
  EXPECT_EQ(read_manifest(written(of(row + "}"))).size(), 1u);
  for (const std::string& text :
       {std::string(), std::string("not json"), std::string("[{"), std::string("[]"),
        std::string("{}"), std::string("null"), std::string("3"), of("3"), of(""),
        of(R"({"part": "p"})"), of(row), of(row + "}, {}"), of(row + R"(, "name": 3})"),
        R"({"version": 1, "implementations": [)" + row + "}]}", "[" + row + "}]", of("\"\xff\""),
        std::string(100000, '['), std::string("\0[", 2)}) {
    const fs::path file = written(text);
    EXPECT_EQ(message_of([&] { read_manifest(file); }),
              file.string() + ": not a manifest of the lab: configure again with cmake")
        << text.substr(0, 40);
  }
}

TEST_F(Manifest, FolderIsRefused) {
  EXPECT_NE(message_of([] { read_manifest(testing::TempDir()); }), "no error");
}

TEST(Select, ByPartAndName) {
  EXPECT_EQ(names_of(select(some, "part1", {})), "part1/naive part1/mine part1/tiled ");
  EXPECT_EQ(names_of(select(some, "part2", {})), "part2/naive ");
  EXPECT_EQ(names_of(select(some, "part1", {"tiled", "naive"})), "part1/tiled part1/naive ");
}

TEST(Select, UnknownOnesAreRefusedAndTheKnownOnesListed) {
  EXPECT_EQ(message_of([] { select(some, "part3", {}); }),
            "there is no part 'part3': choose from part1, part2");
  EXPECT_EQ(message_of([] {
              select(some, "part1", {"naive", "fast"});
            }),
            "part1 has no implementation 'fast': choose from naive, mine, tiled");
  EXPECT_EQ(message_of([] { select(some, "part2", {"mine"}); }),
            "part2 has no implementation 'mine': choose from naive");
}

TEST(ReasonToSkip, NamesWhatIsMissing) {
  ImplementationEntry needy = entry("part1", "naive");
  EXPECT_EQ(reason_to_skip(needy), "");
  needy.needs = "no_such_feature";
  EXPECT_EQ(reason_to_skip(needy), "needs no_such_feature");
  needy.needs = "gpu";
  EXPECT_EQ(reason_to_skip(needy), machine::gpu_answers() ? "" : "needs a GPU");
}

TEST(ForArch, IsTheProgramOfThatInstructionSet) {
  ImplementationEntry two = entry("part2", "two");
  for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
    const std::string end = precision == Precision::double_precision ? "_double" : "";
    two.programs.push_back({precision, "sse2", "bin/part2/two_sse2" + end});
    two.programs.push_back({precision, "avx2", "bin/part2/two_avx2" + end});
  }
  two.needs = "gpu";
  EXPECT_EQ(instruction_sets(two), (std::vector<std::string>{"sse2", "avx2"}));
  const ImplementationEntry avx2 = for_arch(two, "avx2");
  EXPECT_EQ(avx2.name, "two_avx2");
  EXPECT_EQ(avx2.needs, "gpu avx2 fma");
  EXPECT_EQ(avx2.programs.size(), 2u);
  EXPECT_EQ(reason_to_skip(for_arch(two, "avx512")), "has no program of its own for avx512");
  EXPECT_EQ(message_of([&] { for_arch(two, "sse"); }),
            "unknown instruction set 'sse': choose from avx2, avx512, neon, sse2");
}

}  // namespace
}  // namespace nbody::check
