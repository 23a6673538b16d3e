#include "cuda/device_facts.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cuda/test_device.hpp"

namespace nbody {
namespace {

TEST(DeviceFacts, Peaks) {
  EXPECT_NEAR(float_peak(h200()), 66.9e12, 0.05e12);
  EXPECT_NEAR(double_peak(h200()), 33.45e12, 0.05e12);
  EXPECT_NEAR(memory_peak(h200()), 4.917e12, 0.001e12);
}

TEST(DeviceFacts, UnknownDeviceHasNoPeak) {
  DeviceFacts unknown = h200();
  unknown.major = 77;
  EXPECT_EQ(float_peak(unknown), 0);
  EXPECT_NE(devices_text({unknown}).find("float peak     not known for this GPU"),
            std::string::npos);
}

TEST(DeviceFacts, UnitsOfStudentsDevices) {
  EXPECT_EQ(float_units(7, 5), 64u);  // T4
  EXPECT_EQ(double_units(7, 5), 2u);
  EXPECT_EQ(float_units(8, 0), 64u);  // A100
  EXPECT_EQ(double_units(8, 0), 32u);
  EXPECT_EQ(float_units(8, 6), 128u);  // RTX of a laptop
  EXPECT_EQ(double_units(8, 6), 2u);
}

TEST(DeviceFacts, Text) {
  const std::string text = devices_text({h200(), h200()});
  for (const char* part :
       {"GPU 0: NVIDIA H200, compute capability 9.0\n", "\nGPU 1: NVIDIA H200",
        "132 (SM), 128 units for float and 64 for double in each: 16896 and 8448 in all",
        "1024 threads at most (1024 x 1024 x 64), 65536 registers, 48 KiB",
        "2147483647 x 65535 x 65535 blocks", "constant memory  64 KiB", "1980 MHz at most",
        "float peak     66.91 Tflop/s", "double peak    33.45 Tflop/s",
        "memory peak    4917 GB/s"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(DeviceFacts, Json) {
  const auto json = nlohmann::json::parse(devices_json({h200()}));
  const auto& device = json.at("devices").at(0);
  EXPECT_EQ(device.at("compute_capability"), "9.0");
  EXPECT_EQ(device.at("multiprocessors"), 132);
  ASSERT_EQ(device.at("smallest_n").size(), 7u);
  const auto& of_256 = device.at("smallest_n").at(4);
  EXPECT_EQ(of_256.at("block"), 256);
  EXPECT_EQ(of_256.at("a_block_each"), 33537);
  EXPECT_EQ(of_256.at("full"), 132 * 2048);
  // Half a warp takes the place of a whole one.
  EXPECT_EQ(device.at("smallest_n").at(0).at("full"), 132 * 32 * 16);
}

TEST(DeviceFacts, Version) {
  EXPECT_EQ(cuda_version(13000), "13.0");
  EXPECT_EQ(cuda_version(12040), "12.4");
}

}  // namespace
}  // namespace nbody
