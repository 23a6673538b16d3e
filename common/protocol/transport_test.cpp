// What a Unix socket has of its own; session_test.cpp has what both transports share.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "protocol/child_process.hpp"
#include "protocol/test_programs.hpp"
#include "protocol/test_servers/honest_answer.hpp"
#include "protocol/unix_socket.hpp"

namespace nbody::protocol {
namespace {

namespace fs = std::filesystem;
using Kind = SessionError::Kind;

// Listeners find their folder in TMPDIR: here they leave traces that can be seen.
class OverSocket : public testing::Test {
 protected:
  OverSocket() {
    fs::create_directory(folder_);
    ::setenv("TMPDIR", folder_.c_str(), 1);
  }
  ~OverSocket() override {
    ::unsetenv("TMPDIR");
    ::unsetenv(socket_variable);
    fs::remove_all(folder_);
  }
  bool is_clean() const { return fs::is_empty(folder_); }

  const fs::path folder_ = fs::path(testing::TempDir()) / ("t" + std::to_string(::getpid()));
};

// The variable is set for the program alone.
TEST_F(OverSocket, TheBytesGoThroughTheSocket) {
  Session session = session_with("shows_socket", Transport::unix_socket);
  session.ask(small_request(), 30);
  EXPECT_EQ(session.diagnostics(), "standard input is no socket\n");
  EXPECT_EQ(std::getenv(socket_variable), nullptr);
  // A session through pipes is not led astray by a variable that was not meant for it.
  ::setenv(socket_variable, "/nowhere", 1);
  for (const Transport transport : transports) {
    Session next = session_with("honest", transport);
    EXPECT_EQ(next.ask(small_request(), 30).states, honest_answer(small_request()).states);
  }
}

TEST_F(OverSocket, TheFileIsGoneWhenItIsConnected) {
  Session session = session_with("honest", Transport::unix_socket);
  session.ask(small_request(), 30);
  EXPECT_TRUE(is_clean());
}

TEST_F(OverSocket, TheFileIsGoneWhenNobodyConnects) {
  {
    const Listener listener;
    EXPECT_FALSE(is_clean());  // so that the other tests can fail
    struct stat status {};
    ASSERT_EQ(::stat(fs::path(listener.path()).parent_path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700u);
  }
  EXPECT_TRUE(is_clean());
  Session silent(test_program("broken_server"), {"no_such_fault"},
                 {.transport = Transport::unix_socket});
  EXPECT_EQ(failure_of(silent, small_request()).kind, Kind::crashed);
  Session missing("/nowhere/at/all", {}, {.transport = Transport::unix_socket});
  EXPECT_EQ(failure_of(missing, small_request()).kind, Kind::not_started);
  EXPECT_TRUE(is_clean());
}

TEST_F(OverSocket, AFolderThatIsTooLongOrNoneSaysSo) {
  ::setenv("TMPDIR", (folder_.string() + "/none").c_str(), 1);
  Session nowhere = session_with("honest", Transport::unix_socket);
  EXPECT_EQ(failure_of(nowhere, small_request()).kind, Kind::not_started);
  const fs::path deep = folder_ / std::string(100, 'x');
  fs::create_directory(deep);
  ::setenv("TMPDIR", deep.c_str(), 1);
  Session too_deep = session_with("honest", Transport::unix_socket);
  const Failure failure = failure_of(too_deep, small_request());
  EXPECT_EQ(failure.kind, Kind::not_started);
  EXPECT_NE(failure.message.find("File name too long"), std::string::npos) << failure.message;
  EXPECT_TRUE(fs::is_empty(deep));
}

TEST_F(OverSocket, AServerThatCannotConnectSaysSo) {
  ChildProcess program(test_program("handler_server").string(), {"--serve"}, "/nowhere/at/all");
  const std::string ending = program.stop(Clock::now() + std::chrono::seconds(20));
  EXPECT_EQ(ending, "exited with status 2");
  EXPECT_EQ(program.diagnostics(),
            "--serve: cannot connect to the socket in LAB_SOCKET: No such file or directory\n");
}

}  // namespace
}  // namespace nbody::protocol
