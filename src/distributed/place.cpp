#include "distributed/place.h"

#include <charconv>
#include <cstdlib>
#include <cstring>

#include "geniepath/error.h"

namespace geniepath::distributed {
namespace {

constexpr uint16_t kUsualPort = 29500;  // torchrun's

// The variables in which a launcher passes ranks and sizes.
struct Launcher {
  const char *name, *rank, *size, *local_size, *local_rank;
};
constexpr Launcher kLaunchers[] = {
    {"torchrun", "RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "LOCAL_RANK"},
    {"mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE",
     "OMPI_COMM_WORLD_LOCAL_RANK"},
    {"mpiexec", "PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS", "MPI_LOCALRANKID"},
    // SLURM_NTASKS is also set in a batch script, outside srun.
    {"srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_TASKS_PER_NODE", "SLURM_LOCALID"},
};

int64_t number_of(const char* name, const char* text, int64_t least, int64_t most) {
  int64_t number = 0;
  const char* end = text + std::strlen(text);
  const auto [last, problem] = std::from_chars(text, end, number);
  // SLURM_TASKS_PER_NODE may go on: 2(x3),1
  if (problem != std::errc() || (last != end && *last != '(' && *last != ',') || number < least || number > most) {
    fail(name, " is '", text, "', expected a number from ", least, " to ", most);
  }
  return number;
}

int64_t number_or(const Variable& variable, const char* name, int64_t otherwise, int64_t most) {
  const char* text = variable(name);
  return text == nullptr ? otherwise : number_of(name, text, 0, most);
}

// The first host of a list such as node[03-05,7],other.
std::string first_host(const std::string& hosts) {
  const size_t bracket = hosts.find('['), comma = hosts.find(',');
  if (bracket == std::string::npos || bracket > comma) return hosts.substr(0, comma);
  return hosts.substr(0, bracket) + hosts.substr(bracket + 1, hosts.find_first_of(",-]", bracket) - bracket - 1);
}

std::string meeting_address(const Variable& variable, const Launcher& launcher, const Place& place) {
  if (const char* address = variable("MASTER_ADDR")) return address;
  if (place.local_size == place.size) return "127.0.0.1";
  if (const char* hosts = variable("SLURM_STEP_NODELIST")) return first_host(hosts);
  fail(launcher.name, " started ", place.size,
       " processes on several machines: set MASTER_ADDR to the address of the one "
       "with rank 0, in all of them");
}

}  // namespace

std::optional<Place> place_of(const Variable& variable) {
  for (const Launcher& launcher : kLaunchers) {
    const char *rank = variable(launcher.rank), *size = variable(launcher.size);
    if (rank == nullptr || size == nullptr) continue;
    constexpr int64_t kMost = 1 << 20;
    Place place;
    place.size = number_of(launcher.size, size, 1, kMost);
    place.rank = number_of(launcher.rank, rank, 0, place.size - 1);
    if (place.size == 1) return std::nullopt;
    place.local_size = number_or(variable, launcher.local_size, 1, kMost);
    place.local_rank = number_or(variable, launcher.local_rank, 0, kMost);
    place.address = meeting_address(variable, launcher, place);
    place.port = static_cast<uint16_t>(number_or(variable, "MASTER_PORT", kUsualPort, 65535));
    const char *served = variable("TORCHELASTIC_USE_AGENT_STORE"), *attempt = variable("TORCHELASTIC_RESTART_COUNT");
    place.served_by_launcher = served != nullptr && std::strcmp(served, "True") == 0;
    if (attempt != nullptr) place.attempt = attempt;
    return place;
  }
  return std::nullopt;
}

std::optional<Place> place_in_environment() {
  return place_of([](const char* name) -> const char* { return std::getenv(name); });
}

}  // namespace geniepath::distributed
