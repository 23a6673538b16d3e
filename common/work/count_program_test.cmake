# The count program's own test, which knows the counts of the given code: the tree that students get lacks it.
# It builds the count program of an implementation that counts oddly, and those of others that this tree has: in the end,
# when all are known.
set(LAB_PART work_test)
add_room_test(count_program_test count_program_test.cpp
  NEEDS simulator_test_command nlohmann_json::nlohmann_json)
target_compile_definitions(count_program_test PRIVATE BIN="${CMAKE_BINARY_DIR}/bin/")
add_count_program(odd ${CMAKE_CURRENT_SOURCE_DIR}/test_implementations/odd.hpp Odd "" "")
function(build_counted)
  foreach(name work_test_odd part1_naive part1_locals part1_third_law part1_private_sums
      part2_newton part2_blocked part2_third_law part3_naive part3_tiles)
    if(TARGET ${name}_count)
      add_dependencies(count_program_test ${name}_count)
    endif()
  endforeach()
endfunction()
cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL build_counted)
