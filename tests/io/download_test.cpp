#include "io/download.h"

#include <gtest/gtest.h>
#include <httplib.h>

#include <atomic>
#include <thread>

#include "base/file.h"
#include "expect_error.h"
#include "io/sha256.h"
#include "scratch_folder.h"

namespace geniepath {
namespace {

namespace fs = std::filesystem;
using testing::ScratchFolder;

std::string some_bytes(size_t size) {
  std::string bytes(size, '\0');
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 2654435761u >> 13);
  return bytes;
}

std::string hash_of(const std::string& bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.hex();
}

// A server on 127.0.0.1, any free port, with one file "data/file.bin" and the ways in which servers fail.
class Download : public ::testing::Test {
 protected:
  void SetUp() override {
    server_.Get("/whole/data/file.bin", [this](const auto& request, auto& response) {
      ++requests_;
      ranges_ += request.ranges.size();
      response.set_content(content_, "application/octet-stream");
    });
    server_.Get("/altered/data/file.bin", [this](const auto&, auto& response) {
      std::string other = content_;
      other[1000] ^= 1;
      response.set_content(other, "application/octet-stream");
    });
    server_.Get("/longer/data/file.bin", [this](const auto&, auto& response) {
      response.set_content(content_ + "!", "application/octet-stream");
    });
    server_.Get("/cut/data/file.bin", [this](const auto&, auto& response) { serve_half(response, false); });
    server_.Get("/stalled/data/file.bin", [this](const auto&, auto& response) { serve_half(response, true); });
    server_.Get("/ring", [](const auto&, auto& response) { response.set_redirect("/ring"); });
    server_.Get("/moved", [](const auto&, auto& response) { response.set_redirect("/whole/data/file.bin"); });
    server_.Get("/elsewhere", [](const auto&, auto& response) { response.set_redirect("file:///etc/hostname"); });
    // The whole file with status 200, whatever the request.
    server_.Get("/stubborn/data/file.bin", [this](const auto&, auto& response) {
      ++requests_;
      response.set_content_provider("application/octet-stream", [this](size_t, httplib::DataSink& sink) {
        sink.write(content_.data(), content_.size());
        sink.done();
        return true;
      });
    });
    server_.set_keep_alive_timeout(1);
    server_.set_write_timeout(1);
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  void TearDown() override {
    stop_ = true;
    server_.stop();
    thread_.join();
  }

  // Half of the file, then a closed connection or, if `stall`, nothing for as long as the test runs.
  void serve_half(httplib::Response& response, bool stall) {
    response.set_content_provider(content_.size(), "application/octet-stream",
                                  [this, stall](size_t offset, size_t, httplib::DataSink& sink) {
                                    if (offset == 0) return sink.write(content_.data(), content_.size() / 2);
                                    while (stall && !stop_) std::this_thread::sleep_for(std::chrono::milliseconds(10));
                                    return false;
                                  });
  }

  std::string address(const std::string& path) const { return "http://127.0.0.1:" + std::to_string(port_) + path; }

  RemoteFile file(const std::string& url) const {
    return {"data/file.bin", url, static_cast<int64_t>(content_.size()), {hash_of(content_)}};
  }

  void get(const std::string& kind) {
    DownloadOptions options;
    options.folder = folder_.path();
    options.stall_seconds = 1;
    download({file(address("/" + kind + "/data/file.bin"))}, options);
  }

  bool is_there() const { return fs::exists(folder_ / "data/file.bin"); }
  fs::path part() const { return folder_ / "data/file.bin.part"; }

  ScratchFolder folder_;
  std::string content_ = some_bytes(300000);
  httplib::Server server_;
  std::thread thread_;
  int port_ = 0;
  std::atomic<bool> stop_{false};
  std::atomic<size_t> requests_{0}, ranges_{0};
};

TEST_F(Download, BringsTheFileAndLeavesItAloneAfterwards) {
  get("whole");
  EXPECT_EQ(read_text(folder_ / "data/file.bin"), content_);
  EXPECT_FALSE(fs::exists(part()));
  get("whole");
  EXPECT_EQ(requests_, 1u);
}

TEST_F(Download, ReplacesAFileThatIsNotTheRightOne) {
  folder_.write("data/file.bin", "old");
  get("whole");
  EXPECT_EQ(read_text(folder_ / "data/file.bin"), content_);
}

TEST_F(Download, ContinuesAfterTheConnectionWasCut) {
  EXPECT_ERROR(get("cut"), "after 150000 of 300000 bytes; run it again to continue");
  EXPECT_FALSE(is_there());
  EXPECT_EQ(fs::file_size(part()), 150000u);
  get("whole");
  EXPECT_EQ(ranges_, 1u);  // requested the second half
  EXPECT_EQ(read_text(folder_ / "data/file.bin"), content_);
}

TEST_F(Download, StartsOverWhereTheServerCannotContinue) {
  folder_.write("data/file.bin.part", content_.substr(0, 1000));
  get("stubborn");
  EXPECT_EQ(requests_, 2u);
  EXPECT_EQ(read_text(folder_ / "data/file.bin"), content_);
}

TEST_F(Download, StartsOverWhereThePartIsTooLong) {
  folder_.write("data/file.bin.part", content_ + content_);
  get("whole");
  EXPECT_EQ(ranges_, 0u);
  EXPECT_EQ(read_text(folder_ / "data/file.bin"), content_);
}

TEST_F(Download, FinishesAPartThatIsWhole) {
  folder_.write("data/file.bin.part", content_);
  get("whole");
  EXPECT_EQ(requests_, 0u);
  EXPECT_TRUE(is_there());
}

TEST_F(Download, RefusesAndRemovesAnotherFile) {
  EXPECT_ERROR(get("altered"), "is not the published file: SHA-256 ");
  EXPECT_FALSE(is_there());
  EXPECT_FALSE(fs::exists(part()));
  folder_.write("data/file.bin.part", "wrong beginning");
  EXPECT_ERROR(get("whole"), "is not the published file");
  get("whole");
  EXPECT_TRUE(is_there());
}

TEST_F(Download, StopsWhereMoreComesThanTheFileHas) {
  EXPECT_ERROR(get("longer"), "more than 300000 bytes; removed");
  EXPECT_FALSE(is_there());
  EXPECT_FALSE(fs::exists(part()));
}

TEST_F(Download, GivesUpAStalledTransfer) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_ERROR(get("stalled"), "sent nothing for 1 s, after 150000 of 300000 bytes");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  get("whole");
  EXPECT_EQ(ranges_, 1u);
  EXPECT_TRUE(is_there());
}

TEST_F(Download, SaysWhatTheServerSays) {
  EXPECT_ERROR(get("missing"), "answered with HTTP status 404");
  EXPECT_FALSE(is_there());
  EXPECT_FALSE(fs::exists(part()));
  DownloadOptions options;
  options.folder = folder_.path();
  EXPECT_ERROR(download({file("http://127.0.0.1:1/nobody")}, options), "http://127.0.0.1:1/nobody: ");
}

TEST_F(Download, FollowsAFewRedirectsToTheWebOnly) {
  DownloadOptions options;
  options.folder = folder_.path();
  EXPECT_ERROR(download({file(address("/ring"))}, options), "redirects");
  EXPECT_ERROR(download({file(address("/elsewhere"))}, options), "rotocol");
  download({file(address("/moved"))}, options);
  EXPECT_TRUE(is_there());
}

TEST_F(Download, TakesAMirrorInPlaceOfTheAddress) {
  DownloadOptions options;
  options.folder = folder_.path();
  EXPECT_ERROR(download({file("")}, options), "has no public address of its own; name a copy with --mirror");
  options.mirror = address("/whole");
  download({file("")}, options);
  EXPECT_TRUE(is_there());
  fs::remove(folder_ / "data/file.bin");
  options.mirror += "/";
  download({file("http://127.0.0.1:1/nobody")}, options);
  EXPECT_TRUE(is_there());
}

TEST_F(Download, RefusesOtherProtocolsAndPathsOutside) {
  DownloadOptions options;
  options.folder = folder_.path();
  EXPECT_ERROR(download({file("file:///etc/hostname")}, options), "expected an http or https address");
  RemoteFile outside = file(address("/whole/data/file.bin"));
  for (const char* name : {"../file.bin", "/tmp/file.bin", "data/../../file.bin", ""}) {
    outside.name = name;
    EXPECT_ERROR(download({outside}, options), "is not a path below the folder");
  }
}

TEST_F(Download, ReportsProgressAndCanBeStopped) {
  DownloadOptions options;
  options.folder = folder_.path();
  int64_t last = 0;
  options.progress = [&](const RemoteFile& f, int64_t done) {
    EXPECT_EQ(f.name, "data/file.bin");
    EXPECT_GT(done, last);
    last = done;
    if (done > 100000) throw Error("stopped by hand");
  };
  EXPECT_ERROR(download({file(address("/whole/data/file.bin"))}, options), "stopped by hand");
  EXPECT_GT(last, 100000);
  EXPECT_LT(last, 300000);
  options.progress = nullptr;
  download({file(address("/whole/data/file.bin"))}, options);
  EXPECT_TRUE(is_there());
}

}  // namespace
}  // namespace geniepath
