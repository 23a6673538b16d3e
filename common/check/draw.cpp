#include <algorithm>
#include <iterator>
#include <numeric>

#include "check/case_list.hpp"

// Sizes, rows and scenes of a seed.

namespace nbody::check {
namespace {

constexpr std::size_t all_up_to = 17;  // all sizes up to here are asked
constexpr std::size_t sampled = 160;

}  // namespace

std::vector<std::size_t> Draw::sizes() {
  std::vector<std::size_t> sizes(all_up_to);
  std::iota(sizes.begin(), sizes.end(), std::size_t{1});
  const std::size_t start = between(all_up_to + 1, 100);
  for (std::size_t k = 0; k < 16; ++k) sizes.push_back(start + k);
  for (const std::size_t width : {24, 32, 48, 64, 96, 100, 128, 256}) {
    const std::size_t multiple = width * between(1, (in_double_ ? 256 : 512) / width);
    const std::size_t rest = between(2, width - 2);
    sizes.insert(sizes.end(), {multiple - 1, multiple, multiple + 1, multiple + rest});
  }
  const std::size_t most = in_double_ ? 1536 : 2100;
  const std::size_t above =
      one_of({between(1025, most), 256 * between(5, most / 256), 500 * between(3, most / 500)});
  const std::size_t large[] = {between(513, 999), 1000, above};
  if (in_double_) {
    sizes.push_back(large[between(0, 2)]);
  } else {
    sizes.insert(sizes.end(), std::begin(large), std::end(large));
  }
  return sizes;
}

std::size_t Draw::thousands() {
  return one_of({1000 * between(3, 6), 1024 * between(3, 6), between(sampled_from, 6500)});
}

std::vector<std::size_t> all_rows(std::size_t n) {
  std::vector<std::size_t> rows(n);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

std::vector<std::size_t> Draw::rows(const Bodies<double>& bodies) {
  const std::size_t n = bodies.size();
  if (n <= sampled_from) return all_rows(n);
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < 16; ++k) rows.insert(rows.end(), {k, n - 1 - k});
  for (const std::size_t width : {64, 256, 1024}) rows.push_back(n / width * width - 1);
  for (std::size_t k = rows.size(); k > 0; --k) rows.push_back(nearest_to(bodies, rows[k - 1]));
  while (rows.size() < sampled) rows.push_back(between(0, n - 1));
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

Scene Draw::scene(std::optional<CheckScene> kind, std::size_t n) {
  if (!kind) {
    // A sum of thousands of terms of very different sizes loses too many digits.
    kind = n > 1024 ? CheckScene::equal_masses : check_scenes[turn_ / 3 % std::size(check_scenes)];
  }
  Scene made = make_check_scene(*kind, n, seed() * 3 + turn_++ % 3);
  if (!all_digits_) return made;
  const auto fill = [&](double& value) { value *= 1 + random_.uniform() * 0x1p-25; };
  for (std::vector<double>* column : made.bodies.columns()) {
    for (double& value : *column) fill(value);
  }
  fill(made.setting.softening);
  fill(made.setting.dt);
  return made;
}

Scene Draw::adaptive_scene(std::size_t n) {
  Scene made = scene({}, n);
  if (n < 2 || (n <= sampled_from && one_in(3))) return made;
  const std::size_t last = n - 1, any = between(0, last);
  const std::size_t near_end = last - between(0, std::min<std::size_t>(7, last));
  if (n > sampled_from) {  // one that is compared
    put_flier(made, near_end, one_in(2) ? near_end - between(1, 30) : between(0, n / 4));
    return made;
  }
  const std::pair<std::size_t, std::size_t> pairs[] = {
      {any, last}, {any, near_end}, {near_end, any}, {0, any}, {last, any}};
  const auto& [flier, neighbour] = pairs[between(0, 4)];
  if (one_in(4)) {  // far from all others, where lists of cells end
    for (auto* q : {&made.bodies.qx, &made.bodies.qy, &made.bodies.qz}) (*q)[flier] *= 8;
  }
  put_flier(made, flier, neighbour);
  return made;
}

}  // namespace nbody::check
