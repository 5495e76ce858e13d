#include "distributed/processes.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <map>

#include "distributed/world.h"
#include "geniepath/error.h"

namespace geniepath::distributed {

using Clock = std::chrono::steady_clock;

namespace {

constexpr int kLost = 3;

sigset_t watched_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&signals, signal);
  return signals;
}

// Blocks signals for its lifetime, also in threads started meanwhile; next() fetches them.
class HeldSignals {
 public:
  HeldSignals() { ::pthread_sigmask(SIG_BLOCK, &watched_, &before_); }
  ~HeldSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  // The next signal; 0 if there is none for a while.
  int next() const {
    const timespec a_while{0, 100'000'000};
    const int signal = ::sigtimedwait(&watched_, nullptr, &a_while);
    return signal > 0 ? signal : 0;
  }
  const sigset_t& before() const { return before_; }

 private:
  sigset_t watched_ = watched_signals(), before_{};
};

// NULL-terminated, for execve.
std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_of(int64_t rank, int64_t count, uint16_t port) {
  const std::map<std::string, std::string> own{{"RANK", std::to_string(rank)},
                                               {"LOCAL_RANK", std::to_string(rank)},
                                               {"WORLD_SIZE", std::to_string(count)},
                                               {"LOCAL_WORLD_SIZE", std::to_string(count)},
                                               {"MASTER_ADDR", "127.0.0.1"},
                                               {"MASTER_PORT", std::to_string(port)},
                                               {"TORCHELASTIC_USE_AGENT_STORE", "True"}};
  std::vector<std::string> all;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    if (!own.contains(text.substr(0, text.find('=')))) all.push_back(text);
  }
  for (const auto& [name, value] : own) all.push_back(name + "=" + value);
  return all;
}

std::string said_of(int64_t rank, const char* deed, int signal) {
  return "rank " + std::to_string(rank) + " was " + deed + " by signal " + std::to_string(signal) + " (" +
         ::strsignal(signal) + ")";
}

class Children {
 public:
  Children(int64_t count, const std::string& program, std::vector<std::string> arguments, const HeldSignals& signals)
      : point_(make_meeting_point()) {
    arguments.insert(arguments.begin(), program);
    for (int64_t rank = 0; rank < count; ++rank) start(rank, count, arguments, signals);
  }

  bool any_running() const { return !running_.empty(); }
  bool any_failed() const { return ended_.code != 0; }
  const Ended& ended() const { return ended_; }

  void pass_on(int signal) const {
    for (const auto& [pid, _] : running_) ::kill(pid, signal);
  }

  // Records which processes have ended since. After a failure, stopped ones are killed: they would never end.
  void take_note() {
    for (auto child = running_.begin(); child != running_.end();) {
      int status = 0;
      const pid_t changed = ::waitpid(child->first, &status, WNOHANG | WUNTRACED | WCONTINUED);
      if (changed == child->first && WIFSTOPPED(status)) stopped_[child->first] = WSTOPSIG(status);
      if (changed == child->first && WIFCONTINUED(status)) stopped_.erase(child->first);
      if (any_failed() && stopped_.contains(child->first)) kill_stopped(*child);
      if (changed == child->first && (WIFEXITED(status) || WIFSIGNALED(status))) {
        note_end(child->second, status);
        child = running_.erase(child);
      } else {
        ++child;
      }
    }
  }

 private:
  void start(int64_t rank, int64_t count, std::vector<std::string>& arguments, const HeldSignals& signals) {
    std::vector<std::string> variables = environment_of(rank, count, point_->port());
    const std::vector<char*> argv = pointers_to(arguments), envp = pointers_to(variables);
    const pid_t parent = ::getpid(), pid = ::fork();
    if (pid < 0) fail("cannot start process ", rank, " of ", count, ": ", std::strerror(errno));
    if (pid > 0) {
      running_[pid] = rank;
      return;
    }
    // Only calls that are safe after fork. A group of its own: Ctrl-C reaches it once, through its parent.
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    ::pthread_sigmask(SIG_SETMASK, &signals.before(), nullptr);
    if (::getppid() == parent) ::execve(argv[0], argv.data(), envp.data());
    ::_exit(127);
  }

  void kill_stopped(const std::pair<const pid_t, int64_t>& child) {
    if (ended_.why.empty()) ended_.why = said_of(child.second, "stopped", stopped_.at(child.first));
    ::kill(child.first, SIGKILL);
  }

  void note_end(int64_t rank, int status) {
    const bool first = !any_failed();
    if (WIFSIGNALED(status)) {
      if (!first) return;
      ended_.code = kLost;
      ended_.why = said_of(rank, "killed", WTERMSIG(status));
      point_->announce(rank, ended_.why);
    } else if (const int code = WEXITSTATUS(status); code != 0 && (first || ended_.code == kLost)) {
      ended_.code = code;
    }
  }

  std::unique_ptr<MeetingPoint> point_;
  std::map<pid_t, int64_t> running_;  // ranks
  std::map<pid_t, int> stopped_;      // by which signal
  Ended ended_;
};

}  // namespace

Ended run_processes(int64_t count, const std::string& program, const std::vector<std::string>& arguments,
                    std::chrono::milliseconds timeout) {
  const HeldSignals signals;
  Children children(count, program, arguments, signals);
  auto failed = Clock::time_point::max();
  while (children.any_running()) {
    const int signal = signals.next();
    if (signal != 0 && signal != SIGCHLD) children.pass_on(signal);
    children.take_note();
    if (children.any_failed()) failed = std::min(failed, Clock::now());
    if (children.any_failed() && Clock::now() - failed > timeout) children.pass_on(SIGKILL);
  }
  return children.ended();
}

}  // namespace geniepath::distributed
