#include "worksheet/student_program.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "bodies/input_error.hpp"
#include "bodies/words.hpp"
#include "protocol/child_process.hpp"

namespace nbody {
namespace {

constexpr std::size_t longest_text = 1 << 20;
// A program that closed its output may take that long to end, for a core dump for example.
constexpr auto time_to_end = std::chrono::seconds(1);

// Until the output ends; false when the time is over or the text far too long.
bool read_all(ChildProcess& program, Clock::time_point deadline, std::string& text) {
  std::array<char, 65536> bytes;
  while (Clock::now() < deadline && text.size() < longest_text) {
    std::array<pollfd, 2> ends = {pollfd{program.output.number(), POLLIN, 0},
                                  pollfd{program.errors.number(), POLLIN, 0}};
    const bool ended = program.has_ended();
    const int ready = ::poll(ends.data(), ends.size(), 50);
    if (ends[1].revents != 0) program.drain_errors();
    if (ends[0].revents != 0) {
      const ssize_t count = ::read(program.output.number(), bytes.data(), bytes.size());
      if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) return true;
      if (count > 0) text.append(bytes.data(), static_cast<std::size_t>(count));
    } else if (ready == 0 && ended) {
      return true;  // something that it started holds the pipe open
    }
  }
  return false;
}

std::string last_line_of(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

}  // namespace

AnswersAtBothSizes ask_student_program(const std::filesystem::path& file,
                                       std::chrono::milliseconds limit, std::string& printed) {
  std::string text;
  try {
    ChildProcess program(file.string(), {});
    const bool in_time = read_all(program, Clock::now() + limit, text);
    const std::string ending = program.stop(Clock::now() + (in_time ? time_to_end : limit * 0));
    printed = program.diagnostics();
    if (!in_time) {
      throw InputError(fmt::format(
          "worksheet.hpp: no answers within {:g} s: is there a loop in it that does not end?",
          std::chrono::duration<double>(limit).count()));
    }
    try {
      return parse_answers(text);
    } catch (const std::logic_error&) {
      const std::string said = printable(last_line_of(printed));
      throw InputError(fmt::format("worksheet.hpp: {} before it gave its answers{}{}", ending,
                                   said.empty() ? "" : ": ", said));
    }
  } catch (const std::system_error& error) {
    throw InputError(fmt::format("{}: {}", file.string(), error.what()));
  }
}

}  // namespace nbody
