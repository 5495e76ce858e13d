#include "distributed/place.h"

#include <gtest/gtest.h>

#include <map>

#include "expect_error.h"

namespace geniepath::distributed {
namespace {

using Variables = std::map<std::string, std::string>;

std::optional<Place> place_with(const Variables& variables) {
  return place_of([&](const char* name) { return variables.contains(name) ? variables.at(name).c_str() : nullptr; });
}

TEST(Place, IsNoneForAProcessAlone) {
  EXPECT_FALSE(place_with({}));
  EXPECT_FALSE(place_with({{"RANK", "0"}, {"WORLD_SIZE", "1"}}));
  EXPECT_FALSE(place_with({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}})) << "in a batch script, outside srun";
}

TEST(Place, IsReadFromTorchrun) {
  const auto place = place_with({{"RANK", "3"},
                                 {"WORLD_SIZE", "4"},
                                 {"LOCAL_WORLD_SIZE", "2"},
                                 {"LOCAL_RANK", "1"},
                                 {"MASTER_ADDR", "10.0.0.7"},
                                 {"MASTER_PORT", "1234"},
                                 {"TORCHELASTIC_USE_AGENT_STORE", "True"},
                                 {"TORCHELASTIC_RESTART_COUNT", "2"}});
  ASSERT_TRUE(place);
  EXPECT_EQ(place->rank, 3);
  EXPECT_EQ(place->size, 4);
  EXPECT_EQ(place->local_size, 2);
  EXPECT_EQ(place->local_rank, 1);
  EXPECT_EQ(place->address, "10.0.0.7");
  EXPECT_EQ(place->port, 1234);
  EXPECT_TRUE(place->served_by_launcher);
  EXPECT_EQ(place->attempt, "2");
}

TEST(Place, IsReadFromMpi) {
  const auto open_mpi =
      place_with({{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "2"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}});
  ASSERT_TRUE(open_mpi);
  EXPECT_EQ(open_mpi->rank, 1);
  EXPECT_EQ(open_mpi->address, "127.0.0.1");
  EXPECT_EQ(open_mpi->port, 29500);
  EXPECT_FALSE(open_mpi->served_by_launcher);
  const auto mpich = place_with({{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}, {"MPI_LOCALNRANKS", "2"}});
  ASSERT_TRUE(mpich);
  EXPECT_EQ(mpich->size, 2);
  EXPECT_ERROR(
      place_with({{"OMPI_COMM_WORLD_RANK", "1"}, {"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}}),
      "set MASTER_ADDR");
}

TEST(Place, IsReadFromSlurm) {
  const Variables slurm{{"SLURM_PROCID", "2"}, {"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_TASKS_PER_NODE", "2(x2)"}};
  const auto address = [&](const std::string& hosts) {
    Variables variables = slurm;
    variables["SLURM_STEP_NODELIST"] = hosts;
    return place_with(variables)->address;
  };
  EXPECT_EQ(address("node[03-05,7],other"), "node03");
  EXPECT_EQ(address("node[7,9]"), "node7");
  EXPECT_EQ(address("one,two[1-2]"), "one");
  EXPECT_EQ(address("single"), "single");
}

TEST(Place, RefusesWhatMakesNoSense) {
  EXPECT_ERROR(place_with({{"RANK", "4"}, {"WORLD_SIZE", "4"}}), "RANK is '4', expected a number from 0 to 3");
  EXPECT_ERROR(place_with({{"RANK", "one"}, {"WORLD_SIZE", "4"}}), "RANK is 'one'");
  EXPECT_ERROR(place_with({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "a"}, {"MASTER_PORT", "99999"}}),
               "MASTER_PORT is '99999'");
}

}  // namespace
}  // namespace geniepath::distributed
