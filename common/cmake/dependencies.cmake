# Libraries: the distribution's package where there is one, else pinned sources.
# common/setup/packages.txt lists the packages.
include(FetchContent)
set(FETCHCONTENT_QUIET OFF)
find_package(Threads REQUIRED)
if(LAB_PROFILE)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)  # gprof wants static programs
endif()
find_package(OpenMP COMPONENTS CXX)
if(NOT OpenMP_CXX_FOUND)
  message(STATUS "OpenMP not found: programs run on one thread")
endif()

# What a fetched library compiles is not ours to warn about.
function(fetch_library name repository tag)
  message(STATUS "${name}: no package found, fetching ${tag}")
  FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${tag} GIT_SHALLOW ON)
  FetchContent_MakeAvailable(${name})
endfunction()

find_package(CLI11 2.1 CONFIG QUIET)
if(NOT CLI11_FOUND)
  fetch_library(CLI11 https://github.com/CLIUtils/CLI11.git v2.3.2)
endif()

find_package(nlohmann_json 3.9 CONFIG QUIET)
if(NOT nlohmann_json_FOUND)
  fetch_library(nlohmann_json https://github.com/nlohmann/json.git v3.11.2)
endif()

find_package(fmt 8 CONFIG QUIET)
if(NOT fmt_FOUND)
  fetch_library(fmt https://github.com/fmtlib/fmt.git 9.1.0)
endif()

# Distributions ship fmt as a shared library only.
add_library(lab_fmt INTERFACE)
target_link_libraries(lab_fmt INTERFACE $<IF:$<BOOL:${LAB_PROFILE}>,fmt::fmt-header-only,fmt::fmt>)

# Tests only; without it the lab builds and `ctest` finds fewer tests.
option(LAB_TESTS "build the tests" ON)
if(LAB_TESTS)
  find_package(GTest 1.11 CONFIG QUIET)
  if(NOT GTest_FOUND)
    set(INSTALL_GTEST OFF CACHE INTERNAL "")
    fetch_library(googletest https://github.com/google/googletest.git release-1.12.1)
  endif()
endif()
