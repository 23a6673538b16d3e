#include "protocol/descriptor.hpp"

#include <gtest/gtest.h>
#include <sys/time.h>

#include <chrono>
#include <csignal>
#include <system_error>
#include <thread>

namespace nbody::protocol {
namespace {

// Interrupts system calls of this process every 5 ms, but not those of a thread that calls leave().
class Interruptions {
 public:
  Interruptions() {
    struct sigaction action {};
    action.sa_handler = [](int) {};  // and no SA_RESTART
    ::sigaction(SIGALRM, &action, nullptr);
    set_interval(5000);
  }
  ~Interruptions() { set_interval(0); }

  static void leave() {
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    ::pthread_sigmask(SIG_BLOCK, &alarm, nullptr);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }

 private:
  static void set_interval(int microseconds) {
    const itimerval every{{0, microseconds}, {0, microseconds}};
    ::setitimer(ITIMER_REAL, &every, nullptr);
  }
};

// Each side once waits for the other, while signals come.
TEST(Descriptor, ReadingAndWritingGoOnAfterSignals) {
  const std::string megabyte(1 << 20, 'm');
  for (const bool reader_is_late : {true, false}) {
    Pipe pipe = make_pipe();
    std::string read;
    const auto work = [&](bool reads) {
      if (reads) read = read_up_to(pipe.read_end, megabyte.size());
      if (!reads) write_fully(pipe.write_end, megabyte);
    };
    std::thread late([&] {
      Interruptions::leave();
      work(reader_is_late);
    });
    {
      const Interruptions interruptions;
      EXPECT_NO_THROW(work(!reader_is_late));
    }
    late.join();
    EXPECT_EQ(read, megabyte);
  }
}

TEST(Descriptor, ReadingStopsAtTheSizeOrAtTheEnd) {
  Pipe pipe = make_pipe();
  write_fully(pipe.write_end, "abcdef");
  pipe.write_end.close();
  for (const char* next : {"abcd", "ef", ""}) EXPECT_EQ(read_up_to(pipe.read_end, 4), next);
  EXPECT_THROW(read_up_to(Descriptor(), 1), std::system_error);
}

}  // namespace
}  // namespace nbody::protocol
