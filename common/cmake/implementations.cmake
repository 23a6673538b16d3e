# How an implementation (a header) becomes a program of its own, and a row of the manifest.
#
#   start_part(part1)
#   add_worksheet(worksheet.hpp)
#   add_implementation(naive "the formulas, word for word")
#   add_implementation(race "..." FLAGS -O3 -fopenmp KIND exhibit EXPECT "a data race")
#   add_student_implementations(flags.txt)
#
# Own program, so that flags of one never reach another: the linker merges inlined templates.

include(${CMAKE_CURRENT_LIST_DIR}/student_flags.cmake)

# For programs with the counting number: printing one would print nonsense, memset and memcpy would
# write past the counting.
set(count_flags -O1 -Wall -Wextra -Wno-unknown-pragmas -Werror=format)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND count_flags -Werror=class-memaccess)
endif()

function(start_part part)
  set(LAB_PART ${part} PARENT_SCOPE)
  add_custom_target(${part})
endfunction()

# More rows of a part that another folder started (solutions/).
function(continue_part part)
  set(LAB_PART ${part} PARENT_SCOPE)
endfunction()

# The answers of a part: program bin/PART/worksheet judges them, and the programs of naive and mine
# show their Gflop/s by them. Compiled once and without anybody's flags.
function(add_worksheet header)
  set(LAB_WORKSHEET ${CMAKE_CURRENT_SOURCE_DIR}/${header})
  class_of(${LAB_PART} LAB_PART_CLASS)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/worksheet_answers.cpp)
  configure_file(${CMAKE_SOURCE_DIR}/common/worksheet/answers.cpp.in ${source} @ONLY)
  add_library(${LAB_PART}_worksheet_answers OBJECT ${source})
  target_link_libraries(${LAB_PART}_worksheet_answers PRIVATE nbody_options)
  target_compile_options(${LAB_PART}_worksheet_answers PRIVATE -Wall)
  add_executable(${LAB_PART}_worksheet ${CMAKE_SOURCE_DIR}/common/worksheet/${LAB_PART}_sheet.cpp)
  target_link_libraries(${LAB_PART}_worksheet PRIVATE ${LAB_PART}_worksheet_answers nbody_worksheet_main)
  set_target_properties(${LAB_PART}_worksheet PROPERTIES OUTPUT_NAME worksheet LINKER_LANGUAGE CXX
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin/${LAB_PART})
endfunction()

# `third_law` -> ThirdLaw
function(class_of name result)
  string(REPLACE "_" ";" words ${name})
  set(class "")
  foreach(word ${words})
    string(SUBSTRING ${word} 0 1 first)
    string(SUBSTRING ${word} 1 -1 rest)
    string(TOUPPER ${first} first)
    string(APPEND class ${first}${rest})
  endforeach()
  set(${result} ${class} PARENT_SCOPE)
endfunction()

# Options: CLASS C        the class template; default: the name in capitals
#          KIND k         naive, mine, rung, exhibit, solution; default rung (naive for `naive`)
#          FLAGS ...      compiler flags; default -O3
#          NEEDS ...      features of the CPU (as in /proc/cpuinfo); gpu, which .cuh files always do
#          EXPECT "text"  an exhibit's expected verdict or diagnosis
#          ARCHS ...      a program for each of these instruction sets (sse2 avx2 avx512, worst
#                         first) and a launcher; other processors get one program for what they have
#          LINK ...       targets that it needs, lab_xsimd say
# NAME.cuh is compiled by nvcc and needs a GPU; without a CUDA compiler it is passed over.
function(add_implementation name summary)
  if(name MATCHES "_count$")
    message(FATAL_ERROR "${name}.hpp: names that end in _count belong to the count programs; "
                        "call it something else")
  endif()
  cmake_parse_arguments(IMPL "" "CLASS;KIND;EXPECT" "FLAGS;NEEDS;ARCHS;LINK" ${ARGN})
  set(IMPL_CUDA FALSE)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${name}.cuh)
    if(NOT LAB_CUDA)
      return()
    endif()
    set(IMPL_CUDA TRUE)
    list(APPEND IMPL_NEEDS gpu)
    list(APPEND IMPL_LINK nbody_cuda)
  endif()
  if(NOT IMPL_CLASS)
    class_of(${name} IMPL_CLASS)
  endif()
  if(NOT IMPL_KIND)
    set(IMPL_KIND rung)
    if(name STREQUAL naive)
      set(IMPL_KIND naive)
    endif()
  endif()
  if(NOT IMPL_FLAGS)
    set(IMPL_FLAGS -O3)
  endif()
  # The flags of a study of compilers, for all; OpenMP stays.
  if(LAB_STUDY_FLAGS AND NOT IMPL_CUDA)
    list(FILTER IMPL_FLAGS INCLUDE REGEX "^-fopenmp")
    separate_arguments(study_flags UNIX_COMMAND "${LAB_STUDY_FLAGS}")
    list(PREPEND IMPL_FLAGS ${study_flags})
  endif()

  set(LAB_HEADER ${CMAKE_CURRENT_SOURCE_DIR}/${name}.hpp)
  set(extension cpp)
  set(LAB_INCLUDES "")
  set(LAB_ACCELERATOR nullptr)
  if(IMPL_CUDA)
    set(LAB_HEADER ${CMAKE_CURRENT_SOURCE_DIR}/${name}.cuh)
    set(extension cu)
    set(LAB_INCLUDES "#include \"cuda/device.cuh\"\n")
    set(LAB_ACCELERATOR &cuda_accelerator)
  endif()
  set(LAB_NAME ${name})
  set(LAB_CLASS ${IMPL_CLASS})
  set(LAB_SUMMARY ${summary})
  list(JOIN IMPL_FLAGS " " LAB_FLAGS)
  set(LAB_LIVE_FLOPS nullptr)
  if(IMPL_KIND MATCHES "^(naive|mine)$" AND TARGET ${LAB_PART}_worksheet_answers)
    set(LAB_LIVE_FLOPS "[](double n) { return live_flops_of(\"${name}\", n); }")
  endif()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.${extension})
  configure_file(${CMAKE_SOURCE_DIR}/common/simulator/program.cpp.in ${source} @ONLY)

  set(target ${LAB_PART}_${name})
  set(archs "")
  if(IMPL_ARCHS AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(archs ${IMPL_ARCHS})
    foreach(arch ${archs})
      add_implementation_program(${target}_${arch} ${name}_${arch} ${source} ${flags_of_${arch}})
    endforeach()
    set(LAB_ARCHS ${archs})
    list(JOIN archs " " LAB_ARCHS)
    configure_file(${CMAKE_SOURCE_DIR}/common/simulator/launcher.cpp.in
      ${CMAKE_CURRENT_BINARY_DIR}/${name}_launcher.cpp @ONLY)
    add_executable(${target} ${CMAKE_CURRENT_BINARY_DIR}/${name}_launcher.cpp)
    target_link_libraries(${target} PRIVATE nbody_launcher nbody_warnings)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name}
      RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin/${LAB_PART})
    foreach(arch ${archs})
      add_dependencies(${target} ${target}_${arch})
    endforeach()
  else()
    add_implementation_program(${target} ${name} ${source})
  endif()
  add_dependencies(${LAB_PART} ${target})
  add_manifest_row(${name} "${summary}" ${IMPL_KIND} "${LAB_FLAGS}" "${IMPL_NEEDS}" "${IMPL_EXPECT}" "${archs}")
  if(IMPL_CUDA)
    add_cuda_count_program(${name})
  elseif(LAB_PART MATCHES "^part[0-9]+$")
    set(flags ${IMPL_FLAGS})
    list(FILTER flags INCLUDE REGEX "^-m")
    set(LAB_COUNTED_BY counting_number)
    if(lab_xsimd IN_LIST IMPL_LINK)
      set(LAB_COUNTED_BY counting_batch)
    endif()
    add_count_program(${name} ${flags})
    target_link_libraries(${target}_count PRIVATE ${IMPL_LINK})
  endif()
endfunction()

set(flags_of_sse2 -msse2)
set(flags_of_avx2 -mavx2 -mfma)
set(flags_of_avx512 -mavx512f -mavx512cd -mavx512dq -mavx512bw -mavx512vl -mfma)

# Of add_implementation, whose variables it reads. Further arguments: flags.
function(add_implementation_program target output source)
  add_executable(${target} ${source})
  target_link_libraries(${target} PRIVATE nbody_simulator ${IMPL_LINK})
  if(NOT LAB_LIVE_FLOPS STREQUAL nullptr)
    target_link_libraries(${target} PRIVATE ${LAB_PART}_worksheet_answers)
  endif()
  if(NOT IMPL_KIND STREQUAL mine)
    target_link_libraries(${target} PRIVATE nbody_warnings)
  elseif(IMPL_CUDA)
    target_compile_options(${target} PRIVATE -Xcompiler=-Wall,-Wextra)
  else()
    target_compile_options(${target} PRIVATE -Wall -Wextra)
  endif()
  # A sanitized or profiled build keeps its own optimisation level.
  set(flags ${IMPL_FLAGS} ${ARGN})
  if(LAB_SANITIZE OR LAB_PROFILE)
    list(FILTER flags EXCLUDE REGEX "^-O")
  endif()
  target_compile_options(${target} PRIVATE ${flags})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${output}
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin/${LAB_PART})
endfunction()

# The same header with the counting number (common/work): target PART_NAME_count, program
# bin/PART/NAME_count, and NAME_count.json beside it with what it counts, both built on demand. Without OpenMP, so that one thread counts and pragmas that
# know plain numbers only are passed over; its run-time library answers omp_get_max_threads().
# LAB_COUNTED_BY: counting_number, or counting_batch where xsimd is used, which takes longer to compile.
function(add_count_program name)  # further arguments: flags for the machine, which intrinsics need
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}_count.cpp)
  configure_file(${CMAKE_SOURCE_DIR}/common/work/count.cpp.in ${source} @ONLY)
  finish_count_program(${name} ${source})
  target_compile_options(${LAB_PART}_${name}_count PRIVATE ${count_flags} ${ARGN})
endfunction()

function(finish_count_program name source)
  set(target ${LAB_PART}_${name}_count)
  add_executable(${target} EXCLUDE_FROM_ALL ${source})
  target_link_libraries(${target} PRIVATE nbody_count)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name}_count
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin/${LAB_PART})
  set(json ${CMAKE_BINARY_DIR}/bin/${LAB_PART}/${name}_count.json)
  add_custom_command(OUTPUT ${json} COMMAND ${target} --json ${json} DEPENDS ${target} VERBATIM)
  add_custom_target(${target}_json DEPENDS ${json})
endfunction()

# The same for nvcc, on the counting number of the GPU.
function(add_cuda_count_program name)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}_count.cu)
  configure_file(${CMAKE_SOURCE_DIR}/common/cuda/count.cu.in ${source} @ONLY)
  finish_count_program(${name} ${source})
  target_link_libraries(${LAB_PART}_${name}_count PRIVATE nbody_cuda)
endfunction()

# A simulator that is a program already (another language, a broken server): same row, no header.
function(add_program name summary source)
  cmake_parse_arguments(IMPL "" "KIND;EXPECT" "LINK" ${ARGN})
  set(target ${LAB_PART}_${name})
  add_executable(${target} ${source})
  target_link_libraries(${target} PRIVATE nbody_options nbody_warnings ${IMPL_LINK})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name}
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin/${LAB_PART})
  add_dependencies(${LAB_PART} ${target})
  add_manifest_row(${name} "${summary}" ${IMPL_KIND} "" "" "${IMPL_EXPECT}")
endfunction()

# mine.hpp and mine_*.hpp (CUDA: mine.cuh and mine_*.cuh) with the flags of a file: `#` comments; a line of flags holds for all of
# them, a line `mine_NAME: flags` for that one instead.
# LINK ...: targets that they may use, if there are any such. CUDA: headers and flags for nvcc.
function(add_student_implementations flags_file)
  cmake_parse_arguments(STUDENT "CUDA" "" "LINK" ${ARGN})
  set(student_extension hpp)
  if(STUDENT_CUDA)
    set(student_extension cuh)
  endif()
  set(link "")
  foreach(target ${STUDENT_LINK})
    if(TARGET ${target})
      list(APPEND link ${target})
    endif()
  endforeach()
  find_student_headers(names)
  read_student_flags(${flags_file} ${names})
  foreach(name ${names})
    set(flags -O3)
    foreach(wanted student_flags student_flags_${name})
      if(DEFINED ${wanted})
        set(flags ${${wanted}})
      endif()
    endforeach()
    add_implementation(${name} "your version (${name}.${student_extension})" CLASS Mine KIND mine FLAGS ${flags}
      LINK ${link})
  endforeach()
endfunction()

function(json_string text result)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  set(${result} "\"${text}\"" PARENT_SCOPE)
endfunction()

function(add_manifest_row name summary kind flags needs expect)  # further: instruction sets
  set(row "")
  list(JOIN ARGN " " archs)
  foreach(field part:${LAB_PART} "name:${name}" "summary:${summary}" "kind:${kind}" "flags:${flags}"
                "needs:${needs}" "expect:${expect}" "program:bin/${LAB_PART}/${name}"
                "target:${LAB_PART}_${name}" "archs:${archs}")
    string(REGEX MATCH "^([a-z]+):(.*)$" ignored "${field}")
    set(key ${CMAKE_MATCH_1})
    json_string("${CMAKE_MATCH_2}" value)
    list(APPEND row "\"${key}\": ${value}")
  endforeach()
  list(JOIN row ", " row)
  set_property(GLOBAL APPEND PROPERTY LAB_MANIFEST "  {${row}}")
endfunction()

# build/<preset>/manifest.json: what every tool knows about the implementations.
function(write_manifest)
  get_property(rows GLOBAL PROPERTY LAB_MANIFEST)
  list(JOIN rows ",\n" rows)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/manifest.json CONTENT "[\n${rows}\n]\n" @ONLY)
  # What ./lab says before it goes on: headers that are left out.
  get_property(notices GLOBAL PROPERTY LAB_NOTICES)
  list(JOIN notices "\n" notices)
  file(WRITE ${CMAKE_BINARY_DIR}/notices.txt "${notices}\n")
endfunction()
