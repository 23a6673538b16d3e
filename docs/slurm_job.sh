#!/usr/bin/env bash
# A whole job for a cluster with SLURM: builds on the node, checks, measures. Explained in
# docs/using_the_lab.md. From the top of the lab:  sbatch docs/slurm_job.sh [NAME...]
#SBATCH --job-name=nbody
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --exclusive
#SBATCH --cpus-per-task=8
#SBATCH --hint=nomultithread
#SBATCH --time=00:30:00
#SBATCH --output=nbody.%j.txt
set -euo pipefail

# SLURM starts a copy of this file elsewhere; the lab is where sbatch was typed.
cd "${SLURM_SUBMIT_DIR:-.}"
PATH=$PWD/build/tools/bin:$PATH # CMake and Ninja of `./lab setup --no-root`
names=("${@:-mine}")

# Where compilers are modules:  module load gcc cmake

# One thread a core, and each stays where it is: a thread that moves leaves its cache behind.
threads=${SLURM_CPUS_PER_TASK:-$(nproc)}
export OMP_NUM_THREADS=$threads OMP_PLACES=cores OMP_PROC_BIND=close OMP_DYNAMIC=false

echo "node $(hostname), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $threads threads"

# Built elsewhere, -march=native means another processor. Sources that CMake fetched stay.
if [ -e build/release/build.ninja ]; then cmake --build build/release --target clean; fi

./lab check part1 "${names[@]}"
for count in 1 "$threads"; do
  ./lab bench part1 naive "${names[@]}" --vdt --threads "$count" \
    --json "nbody.${SLURM_JOB_ID:-local}.$count.json"
done
