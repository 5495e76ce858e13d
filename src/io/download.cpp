#include "io/download.h"

#include <curl/curl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>

#include "geniepath/error.h"
#include "io/sha256.h"
#include "io/unpack.h"

namespace geniepath {
namespace {

namespace fs = std::filesystem;

constexpr long kMostRedirects = 5;

std::string url_of(const RemoteFile& file, const std::string& mirror) {
  if (mirror.empty() && file.url.empty()) {
    fail(file.name, ": has no public address of its own; name a copy with --mirror URL");
  }
  std::string url = mirror.empty() ? file.url : mirror + (mirror.back() == '/' ? "" : "/") + file.name;
  if (url.rfind("http://", 0) != 0 && url.rfind("https://", 0) != 0) {
    fail(file.name, ": expected an http or https address, found '", url, "'");
  }
  return url;
}

void check_name(const RemoteFile& file) {
  const fs::path path(file.name);
  bool below = !file.name.empty() && path.is_relative();
  for (const fs::path& step : path) below = below && step != "..";
  if (!below) fail("download: '", file.name, "' is not a path below the folder");
}

// A file in transfer: its .part, opened for appending by one process at a time, and libcurl's callbacks.
class Transfer {
 public:
  Transfer(const RemoteFile& file, const DownloadOptions& options, const fs::path& part)
      : file_(file), options_(options), out_(std::fopen(part.c_str(), "ab"), &std::fclose) {
    if (out_ == nullptr) fail(part.string(), ": cannot write: ", std::strerror(errno));
    if (::flock(::fileno(out_.get()), LOCK_EX | LOCK_NB) != 0) {
      fail(part.string(), ": another download is writing this file");
    }
    done_ = static_cast<int64_t>(fs::file_size(part));
    if (done_ > file.bytes) start_over();
  }

  int64_t done() const { return done_; }
  bool is_too_long() const { return too_long_; }

  void start_over() {
    if (::ftruncate(::fileno(out_.get()), 0) != 0) fail(file_.name, ": cannot start over: ", std::strerror(errno));
    done_ = 0;
  }

  void flush() {
    if (std::fflush(out_.get()) != 0) fail(file_.name, ": cannot write: ", std::strerror(errno));
  }

  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

  static size_t receive(const char* data, size_t, size_t size, void* self) {
    return static_cast<Transfer*>(self)->append(data, size) ? size : 0;
  }

 private:
  bool append(const char* data, size_t size) noexcept {
    try {
      too_long_ = done_ + static_cast<int64_t>(size) > file_.bytes;
      if (too_long_) return false;
      if (std::fwrite(data, 1, size, out_.get()) != size) fail(file_.name, ": cannot write: ", std::strerror(errno));
      done_ += static_cast<int64_t>(size);
      if (options_.progress) options_.progress(file_, done_);
      return true;
    } catch (...) {
      thrown_ = std::current_exception();
      return false;
    }
  }

  const RemoteFile& file_;
  const DownloadOptions& options_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> out_;
  int64_t done_ = 0;
  bool too_long_ = false;
  std::exception_ptr thrown_;
};

struct Answer {
  CURLcode code;
  long status;  // of HTTP; 0 for none
};

Answer request(const std::string& url, Transfer& transfer, int64_t stall_seconds) {
  static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
  const std::unique_ptr<CURL, void (*)(CURL*)> curl(ready == CURLE_OK ? curl_easy_init() : nullptr, &curl_easy_cleanup);
  if (curl == nullptr) fail("download: libcurl cannot be started");
  const auto set = [&](CURLoption option, auto value) { curl_easy_setopt(curl.get(), option, value); };
  set(CURLOPT_URL, url.c_str());
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 1L);
  set(CURLOPT_MAXREDIRS, kMostRedirects);
  set(CURLOPT_FAILONERROR, 1L);
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_CONNECTTIMEOUT, static_cast<long>(stall_seconds));
  set(CURLOPT_LOW_SPEED_LIMIT, 1L);
  set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(stall_seconds));
  set(CURLOPT_RESUME_FROM_LARGE, static_cast<curl_off_t>(transfer.done()));
  set(CURLOPT_WRITEFUNCTION, &Transfer::receive);
  set(CURLOPT_WRITEDATA, &transfer);
  set(CURLOPT_USERAGENT, "geniepath");
  Answer answer{curl_easy_perform(curl.get()), 0};
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &answer.status);
  return answer;
}

// The server does not support ranges, or rejects this one.
bool cannot_resume(const Answer& answer) { return answer.code == CURLE_RANGE_ERROR || answer.status == 416; }

void check_answer(const RemoteFile& file, const std::string& url, const Answer& answer, const Transfer& transfer,
                  int64_t stall_seconds) {
  transfer.rethrow();
  if (answer.code == CURLE_HTTP_RETURNED_ERROR) {
    fail(file.name, ": ", url, " answered with HTTP status ", answer.status);
  }
  const std::string of_all = file.is_known() ? " of " + std::to_string(file.bytes) : "";
  if (answer.code == CURLE_OPERATION_TIMEDOUT) {
    fail(file.name, ": ", url, " sent nothing for ", stall_seconds, " s, after ", transfer.done(), of_all,
         " bytes; run it again to continue");
  }
  if (answer.code != CURLE_OK) {
    fail(file.name, ": ", url, ": ", curl_easy_strerror(answer.code), ", after ", transfer.done(), of_all,
         " bytes; run it again to continue");
  }
  if (file.is_known() && transfer.done() < file.bytes) {
    fail(file.name, ": ", url, " ended after ", transfer.done(), " bytes, expected ", file.bytes);
  }
}

[[noreturn]] void refuse(const fs::path& part, const RemoteFile& file, const std::string& url, const std::string& why) {
  fs::remove(part);
  fail(file.name, ": ", url, " is not the published file: ", why, "; removed");
}

void fetch(const RemoteFile& file, const DownloadOptions& options, const std::string& url, const fs::path& part) {
  Transfer transfer(file, options, part);
  if (file.is_known() && transfer.done() == file.bytes) return;  // complete, but interrupted before its renaming
  const bool resumed = transfer.done() > 0;
  Answer answer = request(url, transfer, options.stall_seconds);
  if (resumed && cannot_resume(answer)) {
    transfer.start_over();
    answer = request(url, transfer, options.stall_seconds);
  }
  if (transfer.is_too_long()) refuse(part, file, url, "more than " + std::to_string(file.bytes) + " bytes");
  transfer.flush();
  check_answer(file, url, answer, transfer, options.stall_seconds);
}

// Downloads the whole file to its .part.
fs::path fetch_part(const RemoteFile& file, const DownloadOptions& options, const std::string& url) {
  fs::path part = options.folder / file.name;
  part += ".part";
  std::error_code error;
  fs::create_directories(part.parent_path(), error);
  if (error) fail(part.parent_path().string(), ": cannot create this folder: ", error.message());
  try {
    fetch(file, options, url, part);
  } catch (...) {
    if (fs::exists(part) && fs::is_empty(part)) fs::remove(part);  // nothing to continue
    throw;
  }
  return part;
}

void download_one(const RemoteFile& file, const DownloadOptions& options) {
  check_name(file);
  if (is_right(file, options.folder)) return;
  const std::string url = url_of(file, options.mirror);
  const fs::path part = fetch_part(file, options, url);
  const std::string found = sha256_of_file(part);
  if (!is_published(file, found)) refuse(part, file, url, "SHA-256 " + found + ", expected " + file.sha256.front());
  fs::rename(part, options.folder / file.name);
}

}  // namespace

void download(const std::vector<RemoteFile>& files, const DownloadOptions& options) {
  for (const RemoteFile& file : files) download_one(file, options);
}

void download_archive(const RemoteArchive& archive, const DownloadOptions& options) {
  check_name(archive.zip);
  for (const RemoteFile& file : archive.files) check_name(file);
  const auto is_there = [&](const RemoteFile& file) { return is_right(file, options.folder); };
  if (std::all_of(archive.files.begin(), archive.files.end(), is_there)) return;
  const std::string url = url_of(archive.zip, options.mirror);
  const fs::path part = fetch_part(archive.zip, options, url);
  std::vector<ZipFile::Content> contents;
  try {
    contents = read_members(part, archive.files);
  } catch (const Error& error) {
    refuse(part, archive.zip, url, error.what());
  }
  write_files(contents, archive.files, options.folder);
  fs::remove(part);
}

}  // namespace geniepath
