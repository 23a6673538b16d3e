#include "protocol/server.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <system_error>
#include <thread>

#include "protocol/child_process.hpp"
#include "protocol/test_sessions.hpp"
#include "protocol/unix_socket.hpp"

namespace nbody::protocol {
namespace {

struct Outcome {
  std::string output, printed, ending;
};

// Until the server closes it, even with something unread.
std::string read_all(const Descriptor& connection) {
  std::string all;
  std::array<char, 4096> bytes;
  for (ssize_t count = 1; count > 0; all.append(bytes.data(), static_cast<std::size_t>(count))) {
    count = std::max<ssize_t>(0, ::read(connection.number(), bytes.data(), bytes.size()));
  }
  return all;
}

// The connection of a program that has said hello.
Descriptor greeted(Listener& listener) {
  Descriptor connection;
  while (!connection.is_open()) connection = listener.accept();
  ::fcntl(connection.number(), F_SETFL, 0);
  EXPECT_EQ(read_line(connection, 1000), format_hello(honest_hello()));
  return connection;
}

// All that a server says when it is sent these bytes, after its hello.
Outcome serve_bytes(const std::string& bytes, const std::string& handler = "honest") {
  Listener listener;
  ChildProcess program({fake_server(), "--serve", handler}, listener.path());
  const Descriptor connection = greeted(listener);
  Outcome outcome;
  std::thread reader([&] { outcome.output = read_all(connection); });
  std::signal(SIGPIPE, SIG_IGN);
  try {
    write_fully(connection, bytes);
  } catch (const std::system_error&) {  // it has ended already
  }
  ::shutdown(connection.number(), SHUT_WR);
  reader.join();
  outcome.ending = program.stop(Clock::now() + std::chrono::seconds(20));
  outcome.printed = program.diagnostics();
  return outcome;
}

std::string refusal(const std::string& text) {
  Answer answer;
  answer.id = 7;
  answer.refused = Refusal::failed;
  answer.error = text;
  return format_answer(answer);
}

const std::string good = format_request(small_request());
const std::string answer = format_answer(honest_answer(small_request()));

// What is sent to which handler, and what the server says: in its answers, and when it ends with
// status 2.
struct Row {
  const char *name, *handler;
  std::string bytes, output, printed;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

const std::string no_end =
    "--serve: the input ended, or 32768 bytes came, without an end of the header\n";
const std::string bad_damping = "\"damping\" is 7.5: at most 1 is allowed";
const std::string early_end = "the input ended after 100 of 112 bytes of columns";
const std::string thrown = refusal("bodies 3 and 5\ncoincide \xff");
const std::string unknown = refusal("the simulator failed and gave no reason");
const Row rows[] = {
    {"nothing", "honest", "", "", ""},
    {"two", "honest", good + with(good, ":7,", ":8,"), answer + with(answer, ":7,", ":8,"), ""},
    {"bad_header", "honest", with(good, "0.75", "7.5") + good, refusal(bad_damping),
     "--serve: " + bad_damping + "\n"},
    {"cut_header", "honest", good.substr(0, 31), "", no_end},
    {"cut_columns", "honest", good.substr(0, good.size() - 12), refusal(early_end),
     "--serve: " + early_end + "\n"},
    {"another_protocol", "honest", "GET / HTTP/1.1\r\n", "",
     "--serve: what it sent is not a header in JSON: \"GET / HTTP/1.1"},
    {"endless_header", "honest", "{" + std::string(100000, ' '), "", no_end},
    {"goes_on_after_a_refusal", "refuses", good + good, thrown + thrown, ""},
    {"goes_on_after_any_fault", "throws_number", good + good, unknown + unknown, ""},
};

class Server : public testing::TestWithParam<Row> {};

TEST_P(Server, SaysWhatIsWrong) {
  const auto& [name, handler, bytes, output, printed] = GetParam();
  const Outcome outcome = serve_bytes(bytes, handler);
  EXPECT_EQ(outcome.output, output);
  EXPECT_EQ(outcome.printed.substr(0, printed.size()), printed) << outcome.printed;
  EXPECT_EQ(outcome.ending, printed.empty() ? "exited with status 0" : "exited with status 2");
}

INSTANTIATE_TEST_SUITE_P(Rows, Server, testing::ValuesIn(rows),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Serving, AnnouncedBytesTakeNoMemoryBeforeTheyCome) {
  EXPECT_EQ(serve_bytes(with(good, "\"n\":2", "\"n\":100000000")).output,
            refusal("the input ended after 112 of 5600000000 bytes of columns"));
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);  // the largest of all programs so far
  EXPECT_GT(usage.ru_maxrss, 1 << 10);   // something was measured
  EXPECT_LT(usage.ru_maxrss, 1 << 20);
}

TEST(Serving, ALostReaderEndsTheProgramNormally) {
  Listener listener;
  ChildProcess program({fake_server(), "--serve"}, listener.path());
  const Descriptor connection = greeted(listener);
  ::shutdown(connection.number(), SHUT_RD);
  write_fully(connection, good);
  while (!program.has_ended()) ::usleep(1000);
  EXPECT_EQ(program.stop(Clock::now()), "exited with status 2");
  EXPECT_EQ(program.diagnostics(), "--serve: cannot write: Broken pipe\n");
}

TEST(Serving, WithoutASocketItSaysSo) {
  const std::pair<const char*, const char*> sockets[] = {
      {"",
       "--serve: it must be started by a tool of the lab, which names a socket in LAB_SOCKET\n"},
      {"/nowhere/at/all",
       "--serve: cannot connect to the socket in LAB_SOCKET: No such file or directory\n"},
      {"99", "--serve: cannot write: Bad file descriptor\n"}};
  for (const auto& [socket, printed] : sockets) {
    ChildProcess program({fake_server(), "--serve"}, socket);
    EXPECT_EQ(program.stop(Clock::now() + std::chrono::seconds(20)), "exited with status 2");
    EXPECT_EQ(program.diagnostics(), printed);
  }
}

// As a sandbox does that lets no program make sockets.
TEST(Serving, TakesASocketThatIsConnectedAlready) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const pid_t server = ::fork();
  if (server == 0) {
    ::close(ends[0]);
    ::setenv(socket_variable, std::to_string(ends[1]).c_str(), 1);
    ::_exit(serve(honest_hello(), honest_answer));
  }
  ::close(ends[1]);
  Descriptor connection(ends[0]);
  EXPECT_EQ(read_line(connection, 1000), format_hello(honest_hello()));
  write_fully(connection, good);
  EXPECT_EQ(read_up_to(connection, answer.size()), answer);
  connection.close();
  int status = 1;
  EXPECT_EQ(::waitpid(server, &status, 0), server);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace nbody::protocol
