#!/usr/bin/env bash
# Part 4 on several nodes of a cluster with SLURM: builds, checks, then one speed for each number of ranks.
# Explained in docs/using_the_lab.md. From the top of the lab:  sbatch docs/slurm_mpi.sh [NAME]
#SBATCH --job-name=nbody-mpi
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=8
#SBATCH --exclusive
#SBATCH --hint=nomultithread
#SBATCH --time=00:30:00
#SBATCH --output=nbody-mpi.%j.txt
set -euo pipefail

cd "${SLURM_SUBMIT_DIR:-.}" # SLURM starts a copy of this file elsewhere
PATH=$PWD/build/tools/bin:$PATH
name=${1:-mine}

# Where MPI is a module, the one that the lab was configured with:  module load mpi

export OMP_NUM_THREADS=1
ranks=${SLURM_NTASKS:-2}

# Built elsewhere, -march=native means another processor. Sources that CMake fetched stay.
if [ -e build/release/build.ninja ]; then cmake --build build/release --target clean; fi

# Where only srun may start ranks, neither this nor ./lab run works: check on a machine of your own, and in the loop
# write  srun -n "$count" build/release/bin/part4/"$name" -n 100000 -i 5
./lab check part4 "$name"
# One launcher for all: mpiexec of the library that it was built with, which asks SLURM where to start.
for ((count = 1; count <= ranks; count *= 2)); do
  ./lab run part4 "$name" -n 100000 -i 5 --ranks "$count" | tee "nbody-mpi.${SLURM_JOB_ID:-local}.$count.txt"
done
