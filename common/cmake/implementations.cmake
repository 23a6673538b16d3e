# How an implementation (a header) becomes programs of its own, and a row of the manifest.
# Own programs, so that flags of one never reach another: the linker merges inlined functions. And a
# program for each number type, so that a student reads plain classes: NAME computes in float,
# NAME_double in double, NAME_count in numbers that count.

include(${CMAKE_CURRENT_LIST_DIR}/count_programs.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/manifest.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/parts.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/programs.cmake)

# Options: CLASS C        the class; default: the name in capitals
#          HEADER h       the file that has it, without .hpp; default: NAME, NN_NAME, or exhibits/NAME
#          PARENT p       the rung it differs from by one idea; default naive
#          KIND k         naive, mine, rung, exhibit, solution; default rung (naive for `naive`, exhibit in exhibits/)
#          HOLDS_SUMS     its float sums lose nothing at any N, and --thorough asks for it
#          FLAGS ...      compiler flags; default -O3
#          NEEDS ...      features of the CPU (as in /proc/cpuinfo); gpu, which .cuh files always do
#          EXPECT name    of an exhibit that is wrong: the mistake that the check must find; several: a|b
#          ARCHS ...      programs for each of these instruction sets (sse2 avx2 avx512, worst first); others get one
#          LINK ...       targets that it needs, for example lab_xsimd
#          NOT_ON_CPU "what"  a .cuh file that uses what only a GPU has: no program for --on-cpu
#          NOT_COUNTED "why"  it does not compile with numbers that count; the bound takes the counts of the parent
#          PRECISIONS ... default: LAB_PRECISIONS of the folder, or float double
# NAME.cuh is compiled by nvcc and needs a GPU; without a CUDA compiler there is only its program whose kernels run on the
# CPU (on_cpu.cmake).
function(add_implementation name summary)
  cmake_parse_arguments(IMPL "HOLDS_SUMS" "CLASS;HEADER;PARENT;KIND;EXPECT;NOT_ON_CPU;NOT_COUNTED"
    "FLAGS;NEEDS;ARCHS;LINK;PRECISIONS" ${ARGN})
  # The file, without its extension, and the extension.
  set(extension hpp)
  if(NOT IMPL_HEADER)
    file(GLOB headers RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${name}.hpp ${name}.cuh [0-9][0-9]_${name}.hpp
      [0-9][0-9]_${name}.cuh exhibits/${name}.hpp exhibits/${name}.cuh)
    if(NOT headers MATCHES "^[^;]+$")
      message(FATAL_ERROR "${name}: wanted one of ${name}, NN_${name}, exhibits/${name} (.hpp or .cuh), found: ${headers}")
    endif()
    string(REGEX REPLACE "\\.(hpp|cuh)$" "" IMPL_HEADER ${headers})
  endif()
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${IMPL_HEADER}.cuh)
    set(extension cuh)
  endif()
  if(NOT IMPL_CLASS)  # third_law -> ThirdLaw
    string(REGEX MATCHALL "[^_]+" words ${name})
    foreach(word ${words})
      string(SUBSTRING ${word} 0 1 first)
      string(SUBSTRING ${word} 1 -1 rest)
      string(TOUPPER ${first} first)
      string(APPEND IMPL_CLASS ${first}${rest})
    endforeach()
  endif()
  if(IMPL_HEADER MATCHES "^exhibits/")
    set_default(IMPL_KIND exhibit)
  elseif(name STREQUAL naive)
    set_default(IMPL_KIND naive)
  endif()
  set_default(IMPL_KIND rung)
  if(IMPL_KIND MATCHES "^(mine|rung|exhibit|solution)$")
    set_default(IMPL_PARENT naive)
  endif()
  set_default(IMPL_FLAGS -O3)
  set_default(IMPL_PRECISIONS ${LAB_PRECISIONS})
  set_default(IMPL_PRECISIONS float double)
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(IMPL_ARCHS "")
  endif()
  # The flags of a study of compilers, for all; OpenMP stays.
  if(LAB_STUDY_FLAGS AND extension STREQUAL hpp)
    list(FILTER IMPL_FLAGS INCLUDE REGEX "^-fopenmp")
    separate_arguments(study_flags UNIX_COMMAND "${LAB_STUDY_FLAGS}")
    list(PREPEND IMPL_FLAGS ${study_flags})
  endif()
  get_property(ranks GLOBAL PROPERTY LAB_RANKS_${LAB_PART})
  if(ranks)
    list(APPEND IMPL_LINK nbody_mpi)
  endif()
  if(extension STREQUAL cuh)
    list(APPEND IMPL_NEEDS gpu)
    list(APPEND IMPL_LINK nbody_cuda)
    if(ranks)
      list(APPEND IMPL_LINK nbody_mpi_gpus)
    else()
      add_implementation_on_cpu()
    endif()
    if(NOT LAB_CUDA)
      return()
    endif()
  endif()

  write_program_source(source "")
  set(target ${LAB_PART}_${name})
  add_programs(${LAB_PART} ${source} "${IMPL_FLAGS}" "${IMPL_LINK}" "")
  if(IMPL_ARCHS)
    list(TRANSFORM IMPL_ARCHS PREPEND ${target}_ OUTPUT_VARIABLE of_all_sets)
    add_custom_target(${target} DEPENDS ${of_all_sets})
  endif()
  if(extension STREQUAL hpp)
    add_variants("addresses;races" ${LAB_PART} ${source} "${IMPL_FLAGS}" "${IMPL_LINK}")
    if(NOT ranks)
      add_variants("gprof;gprof_debug" ${LAB_PART} ${source} "${IMPL_FLAGS}" "${IMPL_LINK}")
    endif()
    if(LAB_PART MATCHES "^part[0-9]+$" AND NOT ranks AND NOT IMPL_NOT_COUNTED)
      set(machine_flags ${IMPL_FLAGS})
      list(FILTER machine_flags INCLUDE REGEX "^-m")
      add_count_program(${name} ${CMAKE_CURRENT_SOURCE_DIR}/${IMPL_HEADER}.hpp ${IMPL_CLASS} "${IMPL_LINK}"
        "${machine_flags}")
    endif()
  endif()
  add_own_row(NEEDS ${IMPL_NEEDS} ARCHS ${IMPL_ARCHS} HOLDS_SUMS ${IMPL_HOLDS_SUMS})
endfunction()

# Of add_implementation: its row of the manifest. Further arguments: what is not the same on the CPU.
macro(add_own_row)
  set(count "")
  if(TARGET ${LAB_PART}_${name}_count)
    set(count yes)
  endif()
  add_manifest_row(NAME ${name} SUMMARY "${summary}" SOURCE ${CMAKE_CURRENT_SOURCE_DIR}/${IMPL_HEADER}.${extension}
    CLASS ${IMPL_CLASS} PARENT "${IMPL_PARENT}" KIND ${IMPL_KIND} EXPECT "${IMPL_EXPECT}" COUNT ${count}
    FLAGS ${IMPL_FLAGS} PRECISIONS ${IMPL_PRECISIONS} ${ARGN})
endmacro()

# mine.hpp and mine_*.hpp (CUDA: mine.cuh and mine_*.cuh) with the flags of a file (student_flags.py).
# LINK ...: targets that they may use, if there are any such. CUDA: headers and flags for nvcc.
function(add_student_implementations flags_file)
  cmake_parse_arguments(STUDENT "CUDA" "" "LINK" ${ARGN})
  set(extension hpp)
  if(STUDENT_CUDA)
    set(extension cuh)
  endif()
  set(link "")
  foreach(target ${STUDENT_LINK})
    if(TARGET ${target})
      list(APPEND link ${target})
    endif()
  endforeach()
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/mine*.${extension})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${flags_file})
  execute_process(COMMAND ${PYTHON3} -B ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/student_flags.py ${CMAKE_SOURCE_DIR} ${flags_file}
    ${headers} OUTPUT_VARIABLE found ERROR_VARIABLE said RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    string(STRIP "${said}" said)
    message(FATAL_ERROR "${said}")
  endif()
  set_property(GLOBAL APPEND_STRING PROPERTY LAB_NOTICES "${said}")
  string(REGEX MATCHALL "[^\n]+" lines "${found}")
  foreach(line ${lines})
    separate_arguments(flags UNIX_COMMAND "${line}")
    list(POP_FRONT flags name)
    add_implementation(${name} "your version (${name}.${extension})" CLASS Mine KIND mine FLAGS ${flags} LINK ${link})
  endforeach()
endfunction()
