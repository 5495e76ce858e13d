// A process's place among those that a launcher started, from the variables that the launcher sets: torchrun (and
// `geniepath train --processes`), mpirun of Open MPI, mpiexec of MPICH and Intel MPI, or Slurm's srun.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace geniepath::distributed {

struct Place {
  int64_t rank = 0, size = 1;  // among all processes
  int64_t local_size = 1;      // processes of this machine
  int64_t local_rank = 0;      // among these
  std::string address;         // of the store through which the processes find each other
  uint16_t port = 0;
  bool served_by_launcher = false;  // the launcher listens there, else the process of rank 0
  std::string attempt;              // distinguishes restarts by the launcher
};

using Variable = std::function<const char*(const char* name)>;

// None for a process alone. A variable that is missing or makes no sense is an Error.
std::optional<Place> place_of(const Variable& variable);
std::optional<Place> place_in_environment();

}  // namespace geniepath::distributed
