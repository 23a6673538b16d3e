#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "bodies/units.hpp"
#include "check/error_measure.hpp"
#include "check/force_hypotheses.hpp"

namespace nbody {
namespace {

// A wrong formula: each a_ij, with this softening, times a factor; `root` is the root in Eq. 1.
struct Formula {
  std::function<double(std::size_t i, std::size_t j, double root)> factor;
  double softening2;
};

// The error of one body as in error_measure.hpp, as if the formula were right.
double miss_of(const Formula& formula, const WrongForces& wrong, std::size_t i) {
  const Bodies<double>& b = wrong.scene.bodies;
  double x = 0, y = 0, z = 0, magnitude = 0;
  for (std::size_t j = 0; j < b.size(); ++j) {
    if (j == i) continue;
    const double dx = b.qx[j] - b.qx[i], dy = b.qy[j] - b.qy[i], dz = b.qz[j] - b.qz[i];
    const double r2 = dx * dx + dy * dy + dz * dz, root2 = r2 + formula.softening2;
    const double root = std::sqrt(root2);
    const double scale =
        formula.factor(i, j, root) * wrong.scene.setting.G * b.mass[j] / (root2 * root);
    x += scale * dx;
    y += scale * dy;
    z += scale * dz;
    magnitude += std::abs(scale) * std::sqrt(r2);
  }
  const double miss = length(wrong.got.x[i] - x, wrong.got.y[i] - y, wrong.got.z[i] - z);
  return miss == 0 ? 0 : miss / magnitude;
}

// A formula is the same for all bodies: of thousands every tenth or so is enough.
bool fits(const Formula& formula, const WrongForces& wrong, double fit) {
  const std::size_t n = wrong.got.size();
  for (std::size_t i = 0; i < n; i += 1 + n / 512) {
    if (!(miss_of(formula, wrong, i) <= fit)) return false;
  }
  return true;
}

// The constant c for which c * expected is nearest to got.
double best_factor(const WrongForces& wrong) {
  const auto& expected = wrong.reference.acceleration;
  double product = 0, square = 0;
  for (std::size_t i = 0; i < wrong.got.size(); ++i) {
    const double weight = 1 / (wrong.reference.magnitude[i] * wrong.reference.magnitude[i]);
    product += weight * (expected.x[i] * wrong.got.x[i] + expected.y[i] * wrong.got.y[i] +
                         expected.z[i] * wrong.got.z[i]);
    square += weight * (expected.x[i] * expected.x[i] + expected.y[i] * expected.y[i] +
                        expected.z[i] * expected.z[i]);
  }
  return product / square;
}

// What would have to be added to r^2 for the worst body's sake, found by halving an interval.
double added_constant(const WrongForces& wrong) {
  const std::size_t i = force_error(wrong.reference, wrong.got).worst;
  const Bodies<double>& b = wrong.scene.bodies;
  double nearest2 = INFINITY;
  for (std::size_t j = 0; j < b.size(); ++j) {
    const double d = length(b.qx[j] - b.qx[i], b.qy[j] - b.qy[i], b.qz[j] - b.qz[i]);
    if (j != i) nearest2 = std::min(nearest2, d * d);
  }
  const double softening2 = wrong.scene.setting.softening * wrong.scene.setting.softening;
  const double wanted = length(wrong.got.x[i], wrong.got.y[i], wrong.got.z[i]);
  double low = -20, high = 30;  // logarithms, in units of the nearest neighbour's distance
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    const Reference with = reference_accelerations(
        b, wrong.scene.setting.G, std::sqrt(softening2 + nearest2 * std::exp(middle)), {i});
    const Vectors<double>& a = with.acceleration;
    (length(a.x[0], a.y[0], a.z[0]) > wanted ? low : high) = middle;
  }
  return nearest2 * std::exp(low);
}

class Search {
 public:
  Search(const WrongForces& wrong, double limit)
      : wrong_(wrong),
        scene_(wrong.scene),
        fit_(2 * limit + 1e-6),
        softening2_(scene_.setting.softening * scene_.setting.softening),
        units_(Units::for_bodies(scene_.bodies, scene_.setting.G)),
        masses_(units_.to_working(scene_.bodies).mass) {}

  Hypotheses all() {
    softening();
    masses();
    one_factor();
    pairs();
    powers();
    constant();
    return std::move(found_);
  }

 private:
  void add(const char* mistake, std::string sentence, Reach reach = Reach::most_cases) {
    found_.push_back({mistake, std::move(sentence), reach});
  }
  template <typename Factor>
  bool with_factor(Factor factor) const {
    return fits({factor, softening2_}, wrong_, fit_);
  }

  void softening() {
    if (softening2_ == 0) return;
    const auto one = [](auto, auto, auto) { return 1.0; };
    if (fits({one, 0}, wrong_, fit_)) {
      add("softening ignored", "softening is ignored: eps^2 belongs under the root");
    }
    // eps added where eps^2 belongs; in working units, where the simulator does it.
    const double eps = units_.to_length(scene_.setting.softening);
    if (fits({one, softening2_ / eps}, wrong_, fit_)) {
      add("softening not squared",
          "softening: eps is added to the squared distance where eps^2 belongs");
    }
  }

  // Masses as the simulator sees them: in working units.
  void masses() {
    if (with_factor([&](auto i, auto, auto) { return masses_[i]; })) {
      add("own mass",
          "each acceleration is multiplied by the body's own mass: Eq. 3 divides the force by it");
    }
    if (with_factor([&](auto i, auto j, auto) { return masses_[i] / masses_[j]; })) {
      add("mass of the target",
          "the mass of the pulled body stands where the mass of the pulling body belongs");
    }
    if (with_factor([&](auto, auto j, auto) { return 1 / masses_[j]; })) {
      add("no mass", "the mass of the pulling body is missing: each body pulls like a mass of 1");
    }
  }

  void one_factor() {
    const double c = best_factor(wrong_);
    // No rounding is to be forgiven that another formula explains better.
    if (c == 0 || !fits({[c](auto, auto, auto) { return c; }, softening2_}, wrong_, fit_ / 2)) {
      return;
    }
    if (std::abs(c + 1) < 1e-3) {
      add("reversed", "every force points the wrong way: r_i - r_j for r_j - r_i?");
    } else {
      add("one factor", fmt::format("all forces too {} by the same factor {:.6g}: G, or a constant "
                                    "factor?",
                                    std::abs(c) < 1 ? "small" : "large", c));
    }
  }

  void pairs() {
    // Of two bodies one is right and the other one wrong: that may come from anything.
    if (wrong_.got.size() < 3) return;
    const auto halves = [&](double after, double before) {
      return with_factor([=](auto i, auto j, auto) { return j > i ? after : before; });
    };
    if (halves(1, 0)) add("half", half_sentence("after"));
    if (halves(0, 1)) add("half", half_sentence("before"));
    const char* sign =
        "third law with the wrong sign: body i is right, but body j of each pair (j > i) is pushed "
        "the same way instead of the opposite one: += where -= belongs?";
    if (halves(1, -1)) add("third law", sign);
    if (halves(-1, 1)) {
      add("third law",
          "third law with the wrong sign: body j of each pair (j > i) is right, but body i is "
          "pushed the same way instead of the opposite one");
    }
  }

  static std::string half_sentence(const char* side) {
    return fmt::format(
        "each body feels only those {} it: the other half of each pair (third law) is missing",
        side);
  }

  // d / r^p instead of d / r^3; in working units, where the simulator does it.
  void powers() {
    const double unit = std::ldexp(1, units_.length);
    for (const int p : {0, 1, 2, 4, 5, 6}) {
      const auto factor = [&](auto, auto, double root) { return std::pow(root / unit, 3 - p); };
      if (!with_factor(factor)) continue;
      const std::string falls = p == 0   ? "grows like r"
                                : p == 1 ? "does not depend on the distance"
                                : p == 2 ? "falls like 1/r"
                                         : fmt::format("falls like 1/r^{}", p - 1);
      const char* hint = p == 2   ? ": is d / r the unit vector, and r a root?"
                         : p == 4 ? ": one 1/r too many?"
                                  : "";
      add("power", fmt::format("the force {} instead of 1/r^2{}", falls, hint));
    }
  }

  // An absolute constant under the root, as against 0/0: it shows where bodies are close.
  void constant() {
    const double error = force_error(wrong_.reference, wrong_.got).max;
    const double s = added_constant(wrong_);
    const auto one = [](auto, auto, auto) { return 1.0; };
    if (!fits({one, softening2_ + s}, wrong_, std::min(fit_, error / 5))) return;
    add("constant",
        fmt::format("forces between close bodies are too weak, as if {:.1g} were added to r^2: an "
                    "absolute constant? Units are scaled (docs/physics.md, section 5)",
                    s / std::ldexp(1, 2 * units_.length)),
        Reach::some_cases);
  }

  const WrongForces& wrong_;
  const Scene& scene_;
  double fit_, softening2_;
  Units units_;
  std::vector<double> masses_;
  Hypotheses found_;
};

}  // namespace

Hypotheses formula_hypotheses(const WrongForces& wrong, double limit) {
  if (wrong.got.size() < 2) return {};
  return Search(wrong, limit).all();
}

}  // namespace nbody
