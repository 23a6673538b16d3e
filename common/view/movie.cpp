#include "view/movie.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

#include "bodies/input_error.hpp"
#include "bodies/text_file.hpp"
#include "bodies/words.hpp"

namespace nbody::view {
namespace {

using Words = std::vector<std::string>;

// ffmpeg's options after its input, by file extension.
const std::map<std::string, Words>& formats() {
  static const std::map<std::string, Words> formats = {
      {".mp4",
       {"-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f",
        "mp4"}},
      {".webm",
       {"-c:v", "libvpx-vp9", "-crf", "28", "-b:v", "0", "-cpu-used", "4", "-row-mt", "1",
        "-pix_fmt", "yuv420p", "-f", "webm"}},
      // One palette for the whole film.
      {".gif",
       {"-filter_complex",
        "[0:v]split[a][b];[a]palettegen=max_colors=128:stats_mode=diff[p];"
        "[b][p]paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle",
        "-f", "gif"}},
  };
  return formats;
}

bool is_in_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

std::string last_line(std::FILE* file) {
  std::rewind(file);
  char line[1024];
  std::string last;
  while (std::fgets(line, sizeof line, file) != nullptr) {
    if (std::strspn(line, " \n\r") != std::strlen(line)) last = line;
  }
  while (!last.empty() && last.back() == '\n') last.pop_back();
  return last;
}

// In the child, between fork and exec.
[[noreturn]] void become_ffmpeg(const Words& words, int input, int errors) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setpgid(0, 0);  // the parent handles Ctrl-C
  ::dup2(input, STDIN_FILENO);
  ::dup2(errors, STDERR_FILENO);
  ::dup2(errors, STDOUT_FILENO);
  std::signal(SIGPIPE, SIG_DFL);
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

std::atomic<const char*> unfinished = nullptr;  // a file
std::atomic<pid_t> writer = -1;
std::atomic<bool> on_terminal = false;  // because the line already shows ^C or the progress

// Only functions that are safe in a signal handler.
void leave(int signal) {
  constexpr char said[] = "\nview: interrupted\n";
  const std::size_t begin = on_terminal ? 0 : 1;
  if (::write(STDERR_FILENO, said + begin, sizeof said - 1 - begin) < 0) {
  }
  if (writer > 0) {
    ::kill(writer, SIGKILL);
    ::waitpid(writer, nullptr, 0);
  }
  if (unfinished != nullptr) ::unlink(unfinished);
  ::_exit(128 + signal);
}

// From now on an interrupt ends the process that writes this file, and removes the file; null: no
// longer.
void half_written(const char* name, pid_t process) {
  writer = process;
  unfinished = name;
}

}  // namespace

void end_when_interrupted() {
  on_terminal = ::isatty(STDERR_FILENO) != 0;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, leave);
}

void demand_movie(const std::filesystem::path& file, int width, int height) {
  const std::string ending = file.extension().string();
  if (formats().count(ending) == 0) {
    throw InputError(fmt::format("-o needs a name that ends with .mp4, .gif or .webm, not {}",
                                 in_quotes(file.string())));
  }
  if (ending != ".gif" && (width % 2 != 0 || height % 2 != 0)) {
    throw InputError(
        fmt::format("--size needs even numbers for {}, not {}x{}", ending, width, height));
  }
  if (!is_in_path("ffmpeg")) {
    throw InputError("ffmpeg, which writes films, is missing: run ./lab setup --view");
  }
  demand_writable(file);
}

Movie::Movie(std::filesystem::path file, int width, int height, int frames_per_second)
    : file_(std::move(file)),
      temporary_(fmt::format("{}.{}.tmp", file_.string(), ::getpid())),
      complaints_(std::tmpfile()) {
  start(width, height, frames_per_second);
  half_written(temporary_.c_str(), ffmpeg_);
}

void Movie::start(int width, int height, int frames_per_second) {
  Words words = {"ffmpeg",    "-hide_banner",
                 "-loglevel", "error",
                 "-xerror",   "-y",
                 "-f",        "rawvideo",
                 "-pix_fmt",  "rgb24",
                 "-s",        fmt::format("{}x{}", width, height),
                 "-r",        std::to_string(frames_per_second),
                 "-i",        "-"};
  const Words& format = formats().at(file_.extension().string());
  words.insert(words.end(), format.begin(), format.end());
  words.push_back("file:" + temporary_);
  int ends[2];
  if (complaints_ == nullptr || ::pipe2(ends, O_CLOEXEC) != 0) {
    throw InputError(fmt::format("ffmpeg cannot be started ({})", std::strerror(errno)));
  }
  std::signal(SIGPIPE, SIG_IGN);
  ffmpeg_ = ::fork();
  if (ffmpeg_ == 0) become_ffmpeg(words, ends[0], ::fileno(complaints_));
  ::close(ends[0]);
  pipe_ = ends[1];
  if (ffmpeg_ < 0) throw InputError("ffmpeg cannot be started: too many processes");
}

Movie::~Movie() {
  half_written(nullptr, -1);
  if (pipe_ >= 0) ::close(pipe_);
  if (ffmpeg_ > 0) {
    ::kill(ffmpeg_, SIGKILL);
    ::waitpid(ffmpeg_, nullptr, 0);
  }
  ::unlink(temporary_.c_str());
  if (complaints_ != nullptr) std::fclose(complaints_);
}

void Movie::add(const Picture& picture) {
  std::size_t sent = 0;
  while (sent < picture.rgb.size()) {
    const ssize_t size = ::write(pipe_, picture.rgb.data() + sent, picture.rgb.size() - sent);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) fail();
    sent += static_cast<std::size_t>(size);
  }
}

bool Movie::ended_well() {
  ::close(std::exchange(pipe_, -1));
  int status = 0;
  while (::waitpid(ffmpeg_, &status, 0) < 0 && errno == EINTR) {
  }
  ffmpeg_ = -1;
  half_written(temporary_.c_str(), -1);
  return status == 0;
}

void Movie::fail() {
  if (pipe_ >= 0) ended_well();
  throw InputError(
      fmt::format("{} was not written; ffmpeg said: {}", file_.string(), last_line(complaints_)));
}

void Movie::finish() {
  // ffmpeg may exit with success although it could not write.
  if (!ended_well() || !last_line(complaints_).empty()) fail();
  if (std::rename(temporary_.c_str(), file_.c_str()) != 0) {
    throw InputError(fmt::format("{}: cannot be written ({}): choose another place", file_.string(),
                                 std::strerror(errno)));
  }
}

}  // namespace nbody::view
