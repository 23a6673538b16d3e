# MPI, where there is a library of it; LAB_MPI says whether. Without one part 4 is left out, and
# everything else is built. Which one: -DMPI_EXECUTABLE_SUFFIX=.mpich or .openmpi where the system has
# several, -DMPI_HOME=FOLDER for one that lies elsewhere.
set(LAB_MPI FALSE)
# Sanitizers and gprof are for programs of one process.
if(NOT LAB_SANITIZE)
  set(MPI_CXX_SKIP_MPICXX ON)  # the C functions: those of the standard
  # Where there are several: MPICH starts in a tenth of the time.
  find_program(LAB_MPICH mpicxx.mpich)
  set(own_mpi ${CMAKE_SOURCE_DIR}/build/tools/mpi)  # ./lab setup --mpi, without root
  if(LAB_MPICH AND NOT MPI_EXECUTABLE_SUFFIX)
    set(MPI_EXECUTABLE_SUFFIX .mpich)
  elseif(EXISTS ${own_mpi}/bin/mpicxx AND NOT MPI_HOME)
    set(MPI_HOME ${own_mpi})
  endif()
  find_package(MPI COMPONENTS CXX QUIET)
  set(LAB_MPI ${MPI_CXX_FOUND})
  if(NOT LAB_MPI)
    message(STATUS "no MPI library found: part 4 is left out")
  endif()
endif()

# Not a name that points elsewhere once another library is installed.
set(lab_mpiexec "")
if(LAB_MPI)
  file(REAL_PATH ${MPIEXEC_EXECUTABLE} lab_mpiexec)
endif()

# Messages from GPU to GPU, where CUDA's toolkit or the system has NCCL: libnccl-dev, NVIDIA's own
# package source.
if(LAB_MPI AND LAB_CUDA)
  find_path(LAB_NCCL_FOLDER nccl.h HINTS ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})
  find_library(LAB_NCCL_LIBRARY nccl
    HINTS ${CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES} /usr/local/cuda/lib64)
  if(LAB_NCCL_FOLDER AND LAB_NCCL_LIBRARY)
    add_library(lab_nccl INTERFACE)
    target_include_directories(lab_nccl SYSTEM INTERFACE ${LAB_NCCL_FOLDER})
    target_link_libraries(lab_nccl INTERFACE ${LAB_NCCL_LIBRARY})
  endif()
endif()

# What stands in front of a program of several processes; RANKS becomes their number. What the
# settings are for: more ranks than cores, as root in a container, one line where a rank dies.
set(lab_mpi_launcher /usr/bin/env UCX_HANDLE_ERRORS=none
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
  OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none
  OMPI_MCA_orte_execute_quiet=1
  PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none
  ${lab_mpiexec} -n RANKS)
