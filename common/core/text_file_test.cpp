#include "core/text_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "core/body_file.hpp"
#include "core/scenes.hpp"
#include "core/test_message.hpp"

namespace nbody {
namespace {

namespace fs = std::filesystem;

class BodyFileOnDisk : public testing::Test {
 protected:
  BodyFileOnDisk() {
    std::string name = (fs::temp_directory_path() / "body_file_test.XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~BodyFileOnDisk() override { fs::remove_all(folder_); }

  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
  const Scene scene_ = make_scene("random", 100, 1);
};

TEST_F(BodyFileOnDisk, IsReadBack) {
  write_body_file(folder_ / "a.dat", scene_);
  EXPECT_EQ(read_body_file(folder_ / "a.dat"), scene_);
  EXPECT_EQ(files(), 1u);
}

TEST_F(BodyFileOnDisk, ReplacesAnOlderFile) {
  write_body_file(folder_ / "a.dat", make_scene("random", 1000, 1));
  write_body_file(folder_ / "a.dat", scene_);
  EXPECT_EQ(read_body_file(folder_ / "a.dat"), scene_);
  EXPECT_EQ(files(), 1u);
}

TEST_F(BodyFileOnDisk, MissingFoldersAreNotCreated) {
  const fs::path file = folder_ / "new" / "a.dat";
  for (const auto& write : {demand_writable, +[](const fs::path& f) { write_text_file(f, "a"); }}) {
    EXPECT_EQ(message_of([&] { write(file); }), file.string() + ": cannot be written (no folder " +
                                                    (folder_ / "new").string() +
                                                    "): create it or choose another place");
  }
  EXPECT_EQ(files(), 0u);
}

TEST_F(BodyFileOnDisk, ADeviceThatNeverEnds) {
  if (!fs::is_character_file("/dev/zero")) GTEST_SKIP() << "no /dev/zero here";
  EXPECT_EQ(
      message_of([&] { read_body_file("/dev/zero"); }),
      "/dev/zero: cannot be read (not a regular file, and longer than 64 MiB): put it into a file");
}

TEST_F(BodyFileOnDisk, LargerThanAReadBuffer) {
  const Scene large = make_scene("random", 5000, 2);
  write_body_file(folder_ / "a.dat", large);
  EXPECT_GT(fs::file_size(folder_ / "a.dat"), 65536u * 4);
  EXPECT_EQ(read_body_file(folder_ / "a.dat"), large);
}

TEST_F(BodyFileOnDisk, ErrorNamesFileAndLine) {
  const fs::path file = folder_ / "a.dat";
  std::ofstream(file) << "1\n0 1 1 1 1 1 1 1\n";
  EXPECT_EQ(message_of([&] { read_body_file(file); }),
            file.string() + ":2: mass of record 1 is '0', but a mass must be above 0");
}

TEST_F(BodyFileOnDisk, CannotReadWhatIsNoFile) {
  const fs::path missing = folder_ / "missing.dat";
  EXPECT_EQ(message_of([&] { read_body_file(missing); }),
            missing.string() + ": cannot be read (No such file or directory): check the name");
  EXPECT_EQ(message_of([&] { read_body_file(folder_); }),
            folder_.string() + ": cannot be read (Is a directory): check the name");
  EXPECT_EQ(message_of([&] { read_body_file(""); }),
            ": cannot be read (No such file or directory): check the name");
}

TEST_F(BodyFileOnDisk, UnreadableFileIsReported) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const fs::path file = folder_ / "a.dat";
  write_body_file(file, scene_);
  fs::permissions(file, fs::perms::none);
  EXPECT_EQ(message_of([&] { read_body_file(file); }),
            file.string() + ": cannot be read (Permission denied): check the name");
}

// Through a link, so that a broken version replaces the link and not the device.
TEST_F(BodyFileOnDisk, FullDiskIsReported) {
  if (!fs::is_character_file("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const fs::path full = folder_ / "full.dat";
  fs::create_symlink("/dev/full", full);
  const std::string message =
      full.string() +
      ": cannot be written (No space left on device): choose another place or make room";
  EXPECT_EQ(message_of([&] { write_body_file(full, make_scene("two-body", 0, 0)); }), message);
  EXPECT_EQ(message_of([&] { write_body_file(full, make_scene("random", 5000, 0)); }), message);
  EXPECT_TRUE(fs::is_symlink(full));
  EXPECT_EQ(files(), 1u);
}

TEST_F(BodyFileOnDisk, CutWriteLeavesTheOldFileAlone) {
  const fs::path file = folder_ / "a.dat";
  write_body_file(file, scene_);

  // A limit on the size of files stands in for a disk that fills up.
  rlimit old_limit;
  getrlimit(RLIMIT_FSIZE, &old_limit);
  rlimit limit = old_limit;
  limit.rlim_cur = 10000;
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &limit);
  const std::string message =
      message_of([&] { write_body_file(file, make_scene("random", 5000, 0)); });
  setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_handler);

  EXPECT_EQ(message, file.string() +
                         ": cannot be written (File too large): choose another place or make room");
  EXPECT_EQ(files(), 1u);
  EXPECT_EQ(read_body_file(file), scene_);
}

TEST_F(BodyFileOnDisk, CannotWriteOntoAFolderOrBelowAFile) {
  EXPECT_EQ(
      message_of([&] { write_body_file(folder_, scene_); }),
      folder_.string() + ": cannot be written (Is a directory): choose another place or make room");
  write_body_file(folder_ / "a", scene_);
  const fs::path below = folder_ / "a" / "b.dat";
  EXPECT_EQ(
      message_of([&] { write_body_file(below, scene_); }),
      below.string() + ": cannot be written (Not a directory): choose another place or make room");
  EXPECT_EQ(files(), 1u);
}

TEST_F(BodyFileOnDisk, WhetherItCanBeWrittenIsSaidBeforehand) {
  const fs::path file = folder_ / "a";
  demand_writable(file);
  EXPECT_EQ(files(), 0u);
  write_body_file(file, scene_);
  demand_writable(file);
  EXPECT_EQ(files(), 1u);
  EXPECT_EQ(read_body_file(file), scene_);
  for (const fs::path& bad : {folder_, file / "b.dat", fs::path("/proc/no/such")}) {
    EXPECT_EQ(message_of([&] { demand_writable(bad); }),
              message_of([&] { write_text_file(bad, ""); }));
    EXPECT_NE(message_of([&] { demand_writable(bad); }), "");
  }
}

}  // namespace
}  // namespace nbody
