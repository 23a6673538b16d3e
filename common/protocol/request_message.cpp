#include <array>
#include <cmath>

#include "protocol/frame.hpp"

namespace nbody::protocol {
namespace {

constexpr std::uint32_t flag_accelerations = 1, flag_every_state = 2, flag_adaptive = 4,
                        flag_jerk = 8;
constexpr std::uint32_t known_flags = 15;
constexpr std::uint32_t max_threads = 4096;
constexpr std::uint64_t fixed_size = 72 + name_size;  // of the payload, before the columns
constexpr std::uint64_t bytes_per_body = 7 * 8;

// In the order of the message, as in the names.
template <typename AnyBodies>
auto columns_of(AnyBodies& bodies) {
  return std::array{&bodies.mass, &bodies.qx, &bodies.qy, &bodies.qz,
                    &bodies.vx,   &bodies.vy, &bodies.vz};
}
constexpr std::array column_names = {"mass", "qx", "qy", "qz", "vx", "vy", "vz"};

void check_setting(const char* name, double value) {
  require(std::isfinite(value) && value >= 0, "{} is {}: it must be finite and not negative", name,
          value);
}

void check_bodies(const Bodies<double>& bodies) {
  const auto columns = columns_of(bodies);
  for (std::size_t column = 0; column < columns.size(); ++column) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const double value = (*columns[column])[i];
      require(std::isfinite(value), "{} of body {} is {}: it must be finite", column_names[column],
              i, value);
    }
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    require(bodies.mass[i] > 0, "mass of body {} is {}: it must be > 0", i, bodies.mass[i]);
  }
}

void check_values(const Request& request) {
  require(request.threads <= max_threads, "{} threads are asked for, at most {} are allowed",
          request.threads, max_threads);
  check_ranks(request.ranks);
  check_setting("G", request.setting.G);
  check_setting("softening", request.setting.softening);
  check_setting("dt", request.setting.dt);
  check_setting("dt_floor", request.setting.dt_floor);
  const double damping = request.setting.damping;
  require(damping >= 0 && damping <= 1, "damping is {}: it must be between 0 and 1", damping);
  check_bodies(request.bodies);
  answer_payload_size(expected_shape(request));  // throws if no answer could hold the states
}

void parse_flags(std::uint32_t flags, Request& request) {
  require((flags & ~known_flags) == 0, "flags are {:#x}: only the bits {:#x} have a meaning", flags,
          known_flags);
  request.want_accelerations = (flags & flag_accelerations) != 0;
  request.want_every_state = (flags & flag_every_state) != 0;
  request.adaptive = (flags & flag_adaptive) != 0;
  request.want_jerk = (flags & flag_jerk) != 0;
}

std::uint32_t flags_of(const Request& request) {
  return (request.want_accelerations ? flag_accelerations : 0) |
         (request.want_every_state ? flag_every_state : 0) |
         (request.adaptive ? flag_adaptive : 0) | (request.want_jerk ? flag_jerk : 0);
}

}  // namespace

AnswerShape expected_shape(const Request& request) {
  const bool every = request.want_every_state && request.steps > 0;
  return {request.want_accelerations, request.bodies.size(), every ? request.steps : 1,
          request.want_jerk};
}

Request parse_request(const FrameHeader& header, std::string_view payload) {
  demand_kind(header, FrameHeader::Kind::request);
  MessageReader reader(payload);
  Request request;
  request.id = header.id;
  request.precision = parse_precision(reader.u32());
  parse_flags(reader.u32(), request);
  request.threads = reader.u32();
  request.ranks = reader.u32();
  const std::uint64_t n = reader.u64();
  request.steps = reader.u64();
  request.setting.G = reader.f64();
  request.setting.softening = reader.f64();
  request.setting.dt = reader.f64();
  request.setting.dt_floor = reader.f64();
  request.setting.damping = reader.f64();
  request.setting.integrator = reader.name();

  check_number_of_bodies(n);
  check_payload_size(header, payload, fixed_size + n * bytes_per_body);
  for (auto* column : columns_of(request.bodies)) *column = reader.column(n);
  request.bodies.radius.assign(n, 0);
  check_values(request);
  return request;
}

std::string format_request(const Request& request) { return format_request(request, request.id); }

std::string format_request(const Request& request, std::uint64_t id) {
  const std::uint64_t n = request.bodies.size();
  check_number_of_bodies(n);
  for (const auto* column : columns_of(request.bodies)) {
    require(column->size() == n, "the columns of the bodies differ in length");
  }
  MessageWriter writer =
      start_frame({FrameHeader::Kind::request, id, fixed_size + n * bytes_per_body});
  writer.u32(static_cast<std::uint32_t>(request.precision));
  writer.u32(flags_of(request));
  writer.u32(request.threads);
  writer.u32(request.ranks);
  writer.u64(n);
  writer.u64(request.steps);
  writer.f64(request.setting.G);
  writer.f64(request.setting.softening);
  writer.f64(request.setting.dt);
  writer.f64(request.setting.dt_floor);
  writer.f64(request.setting.damping);
  writer.name(request.setting.integrator);
  for (const auto* column : columns_of(request.bodies)) writer.column(*column);
  return writer.take();
}

}  // namespace nbody::protocol
