# Rooms, tools and tests: the lab's own code, of which no speed is measured. They are compiled to be
# compiled fast: with -O1 (not optimised at all, tests would run four times as long), and headers that
# nearly all of them include are precompiled, once for rooms and tools, once for tests. Precompiled
# headers ask for the same flags everywhere, so files and rooms with flags of their own go without.
add_library(nbody_plain_build INTERFACE)
target_compile_options(nbody_plain_build INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${no_contraction}>")
target_link_libraries(nbody_plain_build INTERFACE nbody_options nbody_warnings lab_fmt lab_openmp)
# Sanitized builds have a level of their own.
set(level_of_speed "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O1>")
set(precompiled <algorithm> <array> <cmath> <cstdint> <cstdio> <filesystem> <functional> <map>
  <optional> <string> <vector> <fmt/format.h>)

function(add_precompiled name)  # further arguments: targets it needs; headers are the caller's
  add_library(${name} OBJECT ${CMAKE_SOURCE_DIR}/common/cmake/precompiled.cpp)
  target_link_libraries(${name} PRIVATE nbody_plain_build ${ARGN})
  target_compile_options(${name} PRIVATE ${level_of_speed})
  target_precompile_headers(${name} PRIVATE ${precompiled})
endfunction()
add_precompiled(nbody_precompiled)

function(build_plainly target precompiled)
  target_link_libraries(${target} PRIVATE nbody_plain_build)
  target_compile_options(${target} PRIVATE ${level_of_speed})
  get_target_property(files ${target} SOURCES)
  if(NOT files MATCHES "\\.cu(;|$)")
    target_precompile_headers(${target} REUSE_FROM ${precompiled})
  endif()
endfunction()

# add_room(NAME file.cpp ... [NEEDS target ...] [OWN_FLAGS] [AS_ONE]): library nbody_NAME from a folder
# of common/. OWN_FLAGS: its speed matters, or the caller has flags for it. AS_ONE: every student waits
# for this room before the first run; in the release build its files are compiled as one, so that
# headers are read once (CMake's unity build). Builds of other kinds see each file alone.
function(add_room name)
  cmake_parse_arguments(ROOM "OWN_FLAGS;AS_ONE" "" "NEEDS" ${ARGN})
  add_library(nbody_${name} STATIC ${ROOM_UNPARSED_ARGUMENTS})
  target_link_libraries(nbody_${name} PUBLIC nbody_options ${ROOM_NEEDS} PRIVATE nbody_warnings)
  if(NOT ROOM_OWN_FLAGS)
    build_plainly(nbody_${name} nbody_precompiled)
  endif()
  if(ROOM_AS_ONE AND CMAKE_BUILD_TYPE STREQUAL Release)
    set_target_properties(nbody_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  endif()
endfunction()

# add_tool(NAME file.cpp ... [NEEDS target ...]): program bin/NAME.
function(add_tool name)
  cmake_parse_arguments(TOOL "" "" "NEEDS" ${ARGN})
  add_executable(${name} ${TOOL_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${TOOL_NEEDS})
  build_plainly(${name} nbody_precompiled)
endfunction()

# add_room_test(NAME file_test.cpp ... [NEEDS target ...] [TIMEOUT seconds] [SLOW] [OWN_FLAGS]): program and test NAME. The
# target lab_tests builds all, with the programs that they run; unit_tests all but the SLOW ones: those that ./lab test runs.
if(LAB_TESTS)
  add_custom_target(unit_tests)
  add_custom_target(lab_tests)
  add_dependencies(lab_tests unit_tests)
  list(APPEND precompiled <gtest/gtest.h>)
  add_precompiled(nbody_precompiled_for_tests GTest::gtest)
endif()
function(add_room_test name)
  if(NOT LAB_TESTS)
    return()
  endif()
  cmake_parse_arguments(TEST "SLOW;OWN_FLAGS" "TIMEOUT" "NEEDS" ${ARGN})
  set_default(TEST_TIMEOUT 120)
  add_executable(${name} ${TEST_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE nbody_options nbody_warnings ${TEST_NEEDS} GTest::gtest_main)
  if(NOT TEST_OWN_FLAGS)
    build_plainly(${name} nbody_precompiled_for_tests)
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${TEST_TIMEOUT})
  if(TEST_SLOW)
    add_dependencies(lab_tests ${name})
    set_tests_properties(${name} PROPERTIES LABELS slow)
  else()
    add_dependencies(unit_tests ${name})
  endif()
endfunction()

# add_check_test(NAME [MANIFEST file] part [name ...] [option ...]): what the check program finds, as ./lab check shows it.
function(add_check_test name)
  cmake_parse_arguments(CHECK "" MANIFEST "" MANIFEST manifest.json ${ARGN})
  if(LAB_TESTS)
    add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${LAB_PACKAGE}
      ${LAB_PYTHON} -B -m nbody_lab.check.run $<TARGET_FILE:check>
      ${CHECK_UNPARSED_ARGUMENTS} --seed 1 --manifest ${CMAKE_BINARY_DIR}/${CHECK_MANIFEST})
  endif()
endfunction()
