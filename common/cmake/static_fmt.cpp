// fmt for static programs, where only a shared library is installed: the calls make the compiler
// write out all functions of fmt's headers that rooms may ask for.
#include <fmt/format.h>

void use_fmt(std::FILE* file, fmt::string_view format, const std::string& text) {
  fmt::print(file, fmt::runtime(format), text, 1, 1U, 1L, 1UL, 1.0, 1.0F, 'c', true, nullptr);
  fmt::print(fmt::runtime(format), fmt::format(fmt::runtime(format), text));
}
