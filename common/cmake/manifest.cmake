# build/<preset>/manifest.json: what every tool knows about parts and implementations
# (docs/file_formats.md). Version 2.

# "text" with its quotes, for JSON.
function(json_string text result)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  set(${result} "\"${text}\"" PARENT_SCOPE)
endfunction()

function(json_list result)  # further arguments: words
  set(words "")
  foreach(word ${ARGN})
    json_string("${word}" word)
    list(APPEND words ${word})
  endforeach()
  list(JOIN words ", " words)
  set(${result} "[${words}]" PARENT_SCOPE)
endfunction()

# The path of a file of the lab from its root; a file elsewhere keeps its whole path.
function(path_in_lab file result)
  file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${file})
  if(path MATCHES "^\\.\\.")
    set(path ${file})
  endif()
  set(${result} ${path} PARENT_SCOPE)
endfunction()

function(add_manifest_part part step device ranks)
  path_in_lab(${CMAKE_CURRENT_SOURCE_DIR} folder)
  set(launcher "")
  if(ranks)
    set(launcher ${lab_mpi_launcher})
  else()
    set(ranks 1)
  endif()
  json_list(launcher ${launcher})
  set_property(GLOBAL APPEND PROPERTY LAB_MANIFEST_PARTS "  {\"name\": \"${part}\", \
\"folder\": \"${folder}\", \"default_step\": \"${step}\", \"device\": \"${device}\", \
\"launcher\": ${launcher}, \"ranks\": ${ranks}}")
  if(device STREQUAL gpu AND ranks EQUAL 1)
    set_property(GLOBAL APPEND PROPERTY LAB_MANIFEST_PARTS_ON_CPU "  {\"name\": \"${part}\", \
\"folder\": \"${folder}\", \"default_step\": \"${step}\", \"device\": \"cpu\", \
\"launcher\": [], \"ranks\": 1}")
  endif()
endfunction()

# An implementation in CUDA that has no program for the CPU, and why.
function(add_gpu_only_row name why)
  json_string("${why}" why)
  set_property(GLOBAL APPEND PROPERTY LAB_MANIFEST_GPU_ONLY
    "  {\"part\": \"${LAB_PART}\", \"name\": \"${name}\", \"why\": ${why}}")
endfunction()

# ON_CPU: a row of manifest_on_cpu.json (on_cpu.cmake).
# PROGRAMS: PRECISION:INSTRUCTION_SET:NAME of each; the instruction set may be empty.
# PROGRAM, ARGUMENTS: of a program that several rows share, its name and what tells them apart.
function(add_manifest_row)
  cmake_parse_arguments(ROW "HOLDS_SUMS;ON_CPU" "NAME;SUMMARY;SOURCE;CLASS;PARENT;KIND;EXPECT;COUNT;PROGRAM"
    "FLAGS;NEEDS;PROGRAMS;ARGUMENTS" ${ARGN})
  if(NOT ROW_PROGRAM)
    set(ROW_PROGRAM ${ROW_NAME})
  endif()
  set(targets ${LAB_PART})
  set(property LAB_MANIFEST)
  if(ROW_ON_CPU)
    set(targets ${LAB_PART}_on_cpu)
    set(property LAB_MANIFEST_ON_CPU)
  endif()
  set(bin bin/${targets})
  set(programs "")
  foreach(program ${ROW_PROGRAMS})
    string(REGEX MATCH "^([^:]*):([^:]*):(.*)$" ignored ${program})
    list(APPEND programs "{\"precision\": \"${CMAKE_MATCH_1}\", \
\"instruction_set\": \"${CMAKE_MATCH_2}\", \"program\": \"${bin}/${CMAKE_MATCH_3}\", \
\"target\": \"${targets}_${CMAKE_MATCH_3}\"}")
  endforeach()
  list(JOIN programs ",\n       " programs)
  set(count null)
  if(ROW_COUNT)
    set(count "{\"program\": \"bin/${LAB_PART}/${ROW_COUNT}\", \"target\": \"${LAB_PART}_${ROW_COUNT}\"}")
  endif()
  path_in_lab(${ROW_SOURCE} ROW_SOURCE)
  foreach(text NAME SUMMARY SOURCE CLASS PARENT KIND EXPECT)
    json_string("${ROW_${text}}" ${text})
  endforeach()
  set(holds_sums false)
  if(ROW_HOLDS_SUMS)
    set(holds_sums true)
  endif()
  json_list(flags ${ROW_FLAGS})
  json_list(needs ${ROW_NEEDS})
  json_list(arguments ${ROW_ARGUMENTS})
  set_property(GLOBAL APPEND PROPERTY ${property}_${LAB_PART} ${ROW_NAME})  # the part's names, for its tests
  set_property(GLOBAL APPEND PROPERTY ${property} "  {\"part\": \"${LAB_PART}\", \"name\": ${NAME}, \
\"kind\": ${KIND},
   \"summary\": ${SUMMARY},
   \"source\": ${SOURCE}, \"class\": ${CLASS}, \"parent\": ${PARENT},
   \"holds_sums\": ${holds_sums},
   \"flags\": ${flags}, \"needs\": ${needs}, \"expect\": ${EXPECT},
   \"program\": \"${bin}/${ROW_PROGRAM}\", \"target\": \"${targets}_${ROW_PROGRAM}\", \"arguments\": ${arguments},
   \"programs\": [
       ${programs}],
   \"count\": ${count}}")
endfunction()

function(write_manifest)
  write_manifest_file(manifest.json LAB_MANIFEST_PARTS LAB_MANIFEST "")
  if(LAB_CUDA_ON_CPU)
    # The same for programs whose kernels run on the CPU, with the list of those that have none.
    rows_of(LAB_MANIFEST_GPU_ONLY rows)
    write_manifest_file(manifest_on_cpu.json LAB_MANIFEST_PARTS_ON_CPU LAB_MANIFEST_ON_CPU ",
\"gpu_only\": [
${rows}
]")
  endif()
  # What ./lab says before it goes on: headers that are left out.
  get_property(notices GLOBAL PROPERTY LAB_NOTICES)
  list(JOIN notices "\n" notices)
  file(WRITE ${CMAKE_BINARY_DIR}/notices.txt "${notices}\n")
endfunction()

function(rows_of property result)
  get_property(rows GLOBAL PROPERTY ${property})
  list(JOIN rows ",\n" rows)
  set(${result} "${rows}" PARENT_SCOPE)
endfunction()

# MORE: what follows the two lists.
function(write_manifest_file file parts_property rows_property more)
  rows_of(${parts_property} parts)
  rows_of(${rows_property} rows)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${file} CONTENT "{
\"version\": 2,
\"parts\": [
${parts}
],
\"implementations\": [
${rows}
]${more}
}
" @ONLY)
endfunction()
