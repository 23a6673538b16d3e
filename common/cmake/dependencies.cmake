# Libraries: the distribution's package where there is one, else pinned sources.
# common/setup/packages.txt lists the packages.
include(FetchContent)
set(FETCHCONTENT_QUIET OFF)
find_package(Threads REQUIRED)
find_program(PYTHON3 python3 REQUIRED)  # of what the build makes: it needs no packages
set(LAB_PACKAGE ${CMAKE_SOURCE_DIR}/common/lab/src)
set(LAB_PYTHON ${CMAKE_SOURCE_DIR}/build/venv/bin/python)  # of ./lab, which makes it; tests use it
find_package(OpenMP COMPONENTS CXX)

# Rooms are linked into programs for gprof, too, which are static (variants.cmake) and take other libraries:
# true while such a program is linked.
set(linked_statically $<BOOL:$<TARGET_PROPERTY:LINKED_STATICALLY>>)
add_library(lab_openmp INTERFACE)
if(OpenMP_CXX_FOUND)
  target_link_libraries(lab_openmp INTERFACE $<IF:${linked_statically},${OpenMP_CXX_FLAGS},OpenMP::OpenMP_CXX>)
else()
  message(STATUS "OpenMP not found: programs run on one thread")
endif()

# OPTIONAL "what": the lab can do without, so it asks before whether the sources can be had: FetchContent without a network is
# the end of the configuration.
function(find_or_fetch name version repository tag)
  cmake_parse_arguments(FETCH "" OPTIONAL "" ${ARGN})
  find_package(${name} ${version} CONFIG QUIET)
  if(${name}_FOUND)
    return()
  endif()
  set(repository https://github.com/${repository}.git)
  if(FETCH_OPTIONAL)
    find_package(Git QUIET)
    execute_process(COMMAND ${GIT_EXECUTABLE} ls-remote --exit-code ${repository} ${tag}
      TIMEOUT 20 RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    if(NOT GIT_FOUND OR NOT status EQUAL 0)
      message(STATUS "${name} not found: ${FETCH_OPTIONAL}")
      return()
    endif()
  endif()
  message(STATUS "${name}: no package found, fetching ${tag}")
  FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${tag} GIT_SHALLOW ON)
  FetchContent_MakeAvailable(${name})
endfunction()

find_or_fetch(CLI11 2.1 CLIUtils/CLI11 v2.3.2)
find_or_fetch(nlohmann_json 3.9 nlohmann/json v3.11.2)
find_or_fetch(fmt 8 fmtlib/fmt 9.1.0)

# Distributions ship fmt as a shared library only.
add_library(lab_fmt INTERFACE)
target_link_libraries(lab_fmt INTERFACE $<IF:${linked_statically},nbody_static_fmt,fmt::fmt>)
add_library(nbody_static_fmt STATIC EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/common/cmake/static_fmt.cpp)
target_link_libraries(nbody_static_fmt PUBLIC fmt::fmt-header-only)
target_compile_options(nbody_static_fmt PRIVATE -O0)  # no function is inlined away

# Tests only; without it the lab builds and `ctest` finds fewer tests.
option(LAB_TESTS "build the tests" ON)
if(LAB_TESTS)
  set(INSTALL_GTEST OFF CACHE INTERNAL "")
  find_or_fetch(GTest 1.11 google/googletest release-1.12.1)
endif()

# What `bench` and `machine` measure with; without it the rest builds, and they say what to install.
foreach(part TESTING INSTALL WERROR)
  set(BENCHMARK_ENABLE_${part} OFF CACHE INTERNAL "")
endforeach()
find_or_fetch(benchmark 1.6 google/benchmark v1.7.1
  OPTIONAL "./lab bench, machine and roofline cannot measure (libbenchmark-dev)")

# xsimd 11 or newer: older ones have no rsqrt for AVX-512. Headers only, found as such: the package's
# own target asks for a library that headers do not need. Where the distribution's is too old, that
# of a newer suite is taken (common/setup/newer_xsimd.sh), for all build folders of this tree.
set(own_xsimd ${CMAKE_SOURCE_DIR}/build/tools/xsimd)
function(find_xsimd)
  foreach(folder ${CMAKE_PREFIX_PATH} ${own_xsimd} /usr /usr/local /opt/homebrew)
    set(config ${folder}/include/xsimd/config/xsimd_config.hpp)
    if(EXISTS ${config})
      file(STRINGS ${config} line REGEX "define XSIMD_VERSION_MAJOR")
      string(REGEX MATCH "[0-9]+" major "${line}")
      if(major GREATER_EQUAL 11)
        set(LAB_XSIMD_INCLUDE ${folder}/include PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
endfunction()

set(LAB_XSIMD_INCLUDE "")
find_xsimd()
if(NOT LAB_XSIMD_INCLUDE)
  execute_process(COMMAND bash ${CMAKE_SOURCE_DIR}/common/setup/newer_xsimd.sh ${own_xsimd}
    OUTPUT_VARIABLE said ERROR_VARIABLE said)
  string(STRIP "${said}" said)
  message(STATUS "${said}")
  find_xsimd()
endif()
if(NOT LAB_XSIMD_INCLUDE)
  find_or_fetch(xsimd 11 xtensor-stack/xsimd 13.2.0 OPTIONAL "what needs it is left out (docs/using_the_lab.md)")
  if(xsimd_SOURCE_DIR)
    set(LAB_XSIMD_INCLUDE ${xsimd_SOURCE_DIR}/include)
  endif()
endif()
if(LAB_XSIMD_INCLUDE)
  add_library(lab_xsimd INTERFACE)
  target_include_directories(lab_xsimd SYSTEM INTERFACE ${LAB_XSIMD_INCLUDE})
  # GCC 12 warns about its own AVX-512 headers (GCC bug 105593).
  target_compile_options(lab_xsimd INTERFACE "$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized;-Wno-uninitialized>")
endif()
