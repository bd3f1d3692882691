/// main() of a fuzz target without libFuzzer, which needs Clang: the corpus, then inputs changed at random
/// without regard to what code they reach. It is part of the tests of every build; run.sh looks further.
///   TARGET CORPUS SECONDS [SEED]    without a seed: one of the system's; it is printed
/// An input that ends the process (a signal, an exception, more than 20 s) is written to the working
/// directory, and the exit status is not 0.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" {
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);
// Only fuzzers that change more than bytes define it.
[[gnu::weak]] std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                                  unsigned seed);
}

namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr std::size_t kLongest = 6000;
constexpr unsigned kMostSeconds = 20;

std::minstd_rand random_numbers;       // NOLINT: LLVMFuzzerMutate has no other argument
const Bytes* current = nullptr;        // NOLINT: for the signal handler
char found[200] = "found";             // NOLINT: allocated before the fault
volatile std::sig_atomic_t saved = 0;  // NOLINT

std::size_t below(std::size_t count) { return random_numbers() % count; }

/// Only calls that are allowed in a handler.
extern "C" void save_and_end(int signal) {
  if (saved == 0 && current != nullptr) {
    saved = 1;
    const int file = open(found, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    bool written =
        file >= 0 && write(file, current->data(), current->size()) == static_cast<ssize_t>(current->size());
    const char* text = signal == SIGALRM ? "fuzz: an input takes more than 20 s; it is in "
                                         : "fuzz: an input ends the process; it is in ";
    if (!written) text = "fuzz: an input ends the process and cannot be written to ";
    written = write(STDERR_FILENO, text, std::strlen(text)) > 0 &&
              write(STDERR_FILENO, found, std::strlen(found)) > 0 && write(STDERR_FILENO, "\n", 1) > 0;
  }
  _exit(1);
}

/// On a stack of its own: the one of the process may be what overflowed.
void handle_signals() {
  static std::array<char, 1 << 16> memory;
  stack_t stack{};
  stack.ss_sp = memory.data();
  stack.ss_size = memory.size();
  sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = save_and_end;
  action.sa_flags = SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGTERM})
    sigaction(signal, &action, nullptr);
}

void run(const Bytes& input) {
  current = &input;
  alarm(kMostSeconds);
  LLVMFuzzerTestOneInput(input.data(), input.size());
  alarm(0);
  current = nullptr;
}

std::vector<Bytes> read_corpus(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());  // the order of a directory differs from machine to machine, and the
                                          // seed would tell nothing
  std::vector<Bytes> inputs;
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return inputs;
}

/// A part of `other` replaces a part of `input`.
void splice(Bytes& input, const Bytes& other) {
  const std::size_t from = below(input.size() + 1);
  const std::size_t to = from + below(input.size() - from + 1);
  const std::size_t begin = below(other.size() + 1);
  const std::size_t end = begin + below(other.size() - begin + 1);
  Bytes made(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(from));
  made.insert(made.end(), other.begin() + static_cast<std::ptrdiff_t>(begin),
              other.begin() + static_cast<std::ptrdiff_t>(end));
  made.insert(made.end(), input.begin() + static_cast<std::ptrdiff_t>(to), input.end());
  if (made.size() <= kLongest) input = std::move(made);
}

}  // namespace

/// Changes one to four places: a bit, a byte, a part that is left out, written twice or filled with one byte.
std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most) {
  static const std::string kBytes =
      std::string("0123456789.eE+-,;\"{}[]() \n\t#/\\", 31) + std::string("\0\x7f\x80\xff", 4);
  for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
    if (size == 0) {
      if (most == 0) return 0;
      data[size++] = static_cast<std::uint8_t>(kBytes[below(kBytes.size())]);
      continue;
    }
    const std::size_t at = below(size);
    const std::size_t length = 1 + below(std::min<std::size_t>(size - at, 64));
    switch (below(5)) {
      case 0:
        data[at] ^= static_cast<std::uint8_t>(1U << below(8));
        break;
      case 1:
        data[at] = static_cast<std::uint8_t>(kBytes[below(kBytes.size())]);
        break;
      case 2:
        std::memmove(data + at, data + at + length, size - at - length);
        size -= length;
        break;
      case 3:
        if (size + length > most) break;
        std::memmove(data + at + length, data + at, size - at);
        size += length;
        break;
      default:
        std::memset(data + at, kBytes[below(kBytes.size())], length);
        break;
    }
  }
  return size;
}

int main(int argc, char** argv) {
  using Clock = std::chrono::steady_clock;
  if (argc < 3 || argc > 4) {
    std::fprintf(stderr, "%s: got %d arguments; expected CORPUS SECONDS [SEED]\n", argv[0], argc - 1);
    return 2;
  }
  const double seconds = std::atof(argv[2]);
  const unsigned seed =
      argc == 4 ? static_cast<unsigned>(std::atoi(argv[3])) : std::random_device()() % 1000000000U;
  random_numbers.seed(seed);
  const std::string name = "found_" + std::filesystem::path(argv[0]).filename().string();
  if (name.size() < sizeof found) std::memcpy(found, name.c_str(), name.size() + 1);
  handle_signals();

  const std::vector<Bytes> corpus = read_corpus(argv[1]);
  if (corpus.empty()) {
    std::fprintf(stderr, "%s: no file in %s\n", argv[0], argv[1]);
    return 2;
  }
  for (const Bytes& input : corpus) run(input);
  std::printf("fuzz: %zu inputs of the corpus; seed %u\n", corpus.size(), seed);
  std::fflush(stdout);
  std::size_t tried = 0;
  for (const auto start = Clock::now(); std::chrono::duration<double>(Clock::now() - start).count() < seconds;
       ++tried) {
    Bytes input = corpus[below(corpus.size())];
    if (below(4) == 0) splice(input, corpus[below(corpus.size())]);
    const std::size_t size = std::min(input.size(), kLongest);
    input.resize(kLongest);
    const auto change = static_cast<unsigned>(random_numbers());
    input.resize(LLVMFuzzerCustomMutator != nullptr
                     ? LLVMFuzzerCustomMutator(input.data(), size, kLongest, change)
                     : LLVMFuzzerMutate(input.data(), size, kLongest));
    run(input);
  }
  std::printf("fuzz: %zu changed inputs in %g s\n", tried, seconds);
  return 0;
}
