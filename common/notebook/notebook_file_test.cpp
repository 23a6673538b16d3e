#include "notebook/notebook_file.hpp"

#include <gtest/gtest.h>

#include "bodies/input_error.hpp"
#include "simulator/test_program/command.hpp"

namespace nbody {
namespace {

namespace fs = std::filesystem;

std::string refusal(const fs::path& file) {
  try {
    read_notebook(file);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(NotebookFile, MayBeMissing) {
  const TestFolder folder;
  EXPECT_EQ(read_notebook(folder / "NOTEBOOK.md"), "");
  write_text(folder / "NOTEBOOK.md", "words");
  EXPECT_EQ(read_notebook(folder / "NOTEBOOK.md"), "words");
}

TEST(NotebookFile, WhatMustNotBeReplacedIsRefused) {
  const TestFolder folder;
  const fs::path file = folder / "NOTEBOOK.md";
  write_text(folder / "elsewhere", "words");
  fs::create_symlink(folder / "elsewhere", file);
  EXPECT_EQ(refusal(file), file.string() + ": is a symbolic link: put the file itself there");
  fs::remove(file);
  fs::create_symlink("nowhere", file);
  EXPECT_NE(refusal(file), "");
  fs::remove(file);
  fs::create_directory(file);
  EXPECT_EQ(refusal(file), file.string() + ": is no file: move it away");
  fs::remove(file);
  write_text(file, "words");
  fs::permissions(file, fs::perms::owner_read);
  EXPECT_EQ(refusal(file), file.string() + ": is read-only: chmod u+w " + file.string());
}

TEST(KeptSources, AreNeverReplaced) {
  const TestFolder folder;
  const fs::path root = folder / "";
  EXPECT_EQ(kept_source(root, 3, "mine", "any/mine.hpp"), root / "notebook/003_mine.hpp");
  EXPECT_EQ(kept_source(root, 3, "mine", "any/mine.cuh"), root / "notebook/003_mine.cuh");
  EXPECT_EQ(free_number(root, 3), 3);
  fs::create_directory(folder / "notebook");
  for (const char* name : {"notes.txt", "004_mine.hpp", "002_mine.hpp", "99999999999_x.hpp"}) {
    write_text(folder / ("notebook/" + std::string(name)), "");
  }
  EXPECT_EQ(free_number(root, 3), 5);
  EXPECT_EQ(free_number(root, 9), 9);
}

TEST(KeptPrograms, BelongToTheirRows) {
  const TestFolder folder;
  NotebookRow row{"3", "2026-11-21", "mine", {}, {}, {}, {}, {}, {}, {}};
  const KeptPrograms kept(folder / "below/part1");
  EXPECT_FALSE(kept.of(row));
  write_text(folder / "program", "first");
  fs::permissions(folder / "program", fs::perms::owner_all);
  kept.keep(folder / "program", row, 3);
  EXPECT_EQ(kept.threads_of(row), 3u);
  write_text(folder / "program", "second");
  ASSERT_TRUE(kept.of(row));
  EXPECT_EQ(text_of(*kept.of(row)), "first");
  EXPECT_NE(fs::status(*kept.of(row)).permissions() & fs::perms::owner_exec, fs::perms::none);
  NotebookRow next = row;
  next.number = "4";
  EXPECT_FALSE(kept.of(next));
  EXPECT_EQ(kept.threads_of(next), std::nullopt);
  kept.keep(folder / "program", next, 0);
  EXPECT_EQ(kept.threads_of(next), 0u);
  EXPECT_EQ(text_of(*kept.of(next)), "second");
  EXPECT_EQ(text_of(*kept.of(row)), "first");
  next.name = "../../program";
  EXPECT_FALSE(kept.of(next));
}

}  // namespace
}  // namespace nbody
