#include <gtest/gtest.h>
#include <httplib.h>

#include <atomic>
#include <thread>

#include "base/file.h"
#include "expect_error.h"
#include "io/download.h"
#include "io/published_zip.h"
#include "scratch_folder.h"

namespace geniepath {
namespace {

namespace fs = std::filesystem;
using testing::published_members;
using testing::wanted_files;
using testing::zip_file;

// On 127.0.0.1, any free port: /a.zip is the contents of `served_`, /half.zip its first half, then a hang-up.
class DownloadArchive : public ::testing::Test {
 protected:
  void SetUp() override {
    server_.Get("/a.zip", [this](const auto& request, auto& response) {
      ++requests_;
      ranges_ += request.ranges.size();
      response.set_content(served_, "application/zip");
    });
    server_.Get("/half.zip", [this](const auto&, auto& response) {
      response.set_content_provider(served_.size(), "application/zip",
                                    [this](size_t offset, size_t, httplib::DataSink& sink) {
                                      return offset == 0 && sink.write(served_.data(), served_.size() / 2);
                                    });
    });
    server_.set_keep_alive_timeout(1);
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  void TearDown() override {
    server_.stop();
    thread_.join();
  }

  void get(const std::string& name = "a.zip", int64_t most = 1 << 20) {
    DownloadOptions options;
    options.folder = folder_.path();
    options.stall_seconds = 1;
    const std::string url = "http://127.0.0.1:" + std::to_string(port_) + "/" + name;
    download_archive({{"ppi/ppi.zip", url, most, {}}, wanted_files()}, options);
  }
  size_t files_there() const {
    if (!fs::exists(folder_ / "ppi")) return 0;
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_ / "ppi"), fs::directory_iterator()));
  }
  // Expects that the archive is refused and leaves no files.
  void expect_refused(const std::string& why) {
    EXPECT_ERROR(get(), "/a.zip is not the published file: ");
    EXPECT_ERROR(get(), why);
    EXPECT_EQ(files_there(), 0u);
  }

  testing::ScratchFolder folder_;
  std::string served_ = zip_file(published_members());
  httplib::Server server_;
  std::thread thread_;
  int port_ = 0;
  std::atomic<size_t> requests_{0}, ranges_{0};
};

TEST_F(DownloadArchive, BringsItsFilesAndLeavesThemAloneAfterwards) {
  get();
  EXPECT_EQ(read_text(folder_ / "ppi/graph.json"), testing::kGraphText);
  EXPECT_EQ(read_text(folder_ / "ppi/feats.npy"), testing::kFeatureText);
  EXPECT_EQ(files_there(), 2u) << "the archive is not kept";
  get();
  EXPECT_EQ(requests_, 1u);
}

TEST_F(DownloadArchive, BringsThemAgainWhereOneWasAltered) {
  get();
  folder_.write("ppi/feats.npy", "scribbled");
  get();
  EXPECT_EQ(requests_, 2u);
  EXPECT_EQ(read_text(folder_ / "ppi/feats.npy"), testing::kFeatureText);
}

TEST_F(DownloadArchive, ContinuesAfterTheConnectionWasCut) {
  EXPECT_ERROR(get("half.zip"), "bytes; run it again to continue");
  EXPECT_EQ(fs::file_size(folder_ / "ppi/ppi.zip.part"), served_.size() / 2);
  get();
  EXPECT_EQ(ranges_, 1u);
  EXPECT_EQ(files_there(), 2u);
}

TEST_F(DownloadArchive, StartsOverWhereAWholePartWasLeft) {
  folder_.write("ppi/ppi.zip.part", served_);
  get();
  EXPECT_EQ(files_there(), 2u);
}

TEST_F(DownloadArchive, RefusesATruncatedOne) {
  served_.resize(served_.size() - 10);
  expect_refused("the end record is missing");
}

TEST_F(DownloadArchive, RefusesAnAlteredOrMissingMember) {
  auto members = published_members();
  members[2] = testing::stored("ppi/feats.npy", "featurez");
  served_ = zip_file(members);
  expect_refused("has SHA-256 ");
  members.pop_back();
  served_ = zip_file(members);
  expect_refused("no member is called feats.npy");
}

TEST_F(DownloadArchive, RefusesANameThatLeadsOutside) {
  auto members = published_members();
  members[1].name = "../../walks.txt";
  served_ = zip_file(members);
  expect_refused("member '../../walks.txt' leads outside the archive");
}

TEST_F(DownloadArchive, StopsAtTheMostItMayHave) {
  EXPECT_ERROR(get("a.zip", 100), "is not the published file: more than 100 bytes; removed");
  EXPECT_EQ(files_there(), 0u);
}

}  // namespace
}  // namespace geniepath
