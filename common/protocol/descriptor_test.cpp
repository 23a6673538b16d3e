#include "protocol/descriptor.hpp"

#include <gtest/gtest.h>
#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>
#include <system_error>
#include <thread>

namespace nbody::protocol {
namespace {

// Interrupts system calls of this process every 5 ms.
class Interruptions {
 public:
  Interruptions() {
    struct sigaction action {};
    action.sa_handler = [](int) {};  // and no SA_RESTART
    ::sigaction(SIGALRM, &action, nullptr);
    set_interval(5000);
  }
  ~Interruptions() { set_interval(0); }

  // The calling thread is left alone.
  static void block() {
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    ::pthread_sigmask(SIG_BLOCK, &alarm, nullptr);
  }

 private:
  static void set_interval(int microseconds) {
    const itimerval every{{0, microseconds}, {0, microseconds}};
    ::setitimer(ITIMER_REAL, &every, nullptr);
  }
};

const std::string megabyte(1 << 20, 'm');

void sleep_through_interruptions() {
  Interruptions::block();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

TEST(Descriptor, WritingGoesOnAfterSignals) {
  Pipe pipe = make_pipe();
  std::string read;
  std::thread reader([&] {
    sleep_through_interruptions();
    read = read_up_to(pipe.read_end, megabyte.size());
  });
  {
    const Interruptions interruptions;
    EXPECT_NO_THROW(write_fully(pipe.write_end, megabyte));
  }
  pipe.write_end.close();
  reader.join();
  EXPECT_EQ(read, megabyte);
}

TEST(Descriptor, ReadingGoesOnAfterSignals) {
  Pipe pipe = make_pipe();
  std::thread writer([&] {
    sleep_through_interruptions();
    write_fully(pipe.write_end, megabyte);
  });
  std::string read;
  {
    const Interruptions interruptions;
    EXPECT_NO_THROW(read = read_up_to(pipe.read_end, megabyte.size()));
  }
  pipe.read_end.close();
  writer.join();
  EXPECT_EQ(read, megabyte);
}

TEST(Descriptor, ReadingStopsAtTheSizeOrAtTheEnd) {
  Pipe pipe = make_pipe();
  write_fully(pipe.write_end, "abcdef");
  EXPECT_EQ(read_up_to(pipe.read_end, 4), "abcd");
  pipe.write_end.close();
  EXPECT_EQ(read_up_to(pipe.read_end, 4), "ef");
  EXPECT_EQ(read_up_to(pipe.read_end, 4), "");
}

TEST(Descriptor, ErrorsAreThrown) {
  Descriptor closed;
  EXPECT_FALSE(closed.is_open());
  EXPECT_THROW(read_up_to(closed, 1), std::system_error);
  EXPECT_THROW(write_fully(closed, "a"), std::system_error);
}

}  // namespace
}  // namespace nbody::protocol
