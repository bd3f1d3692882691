#include "io/deck/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "core/activity.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"

namespace scree {
namespace {

/// Read between two looks at requests to stop [bytes].
constexpr std::size_t kPiece = std::size_t{1} << 20U;

/// Closes a descriptor of the system.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return number_; }

 private:
  int number_;
};

/// @returns what an entry of the file system is that cannot be read to an end; "" for a file.
const char* no_file(mode_t mode) {
  if (S_ISREG(mode)) return "";
  if (S_ISDIR(mode)) return "it is a directory";
  if (S_ISFIFO(mode)) return "it is a pipe (FIFO); expected a file, because every rank reads it";
  if (S_ISSOCK(mode)) return "it is a socket; expected a file";
  return "it is a device; expected a file";
}

std::string reason() { return errno == ELOOP ? "circular symbolic links (ELOOP)" : std::strerror(errno); }

}  // namespace

std::string read_text_file(const std::filesystem::path& file, const std::string& shown) {
  Activity activity("reading " + shown);
  const auto fail = [&](const std::string& why) {
    throw InputError(shown, fmt::format("cannot be read: {}.", why));
  };
  // O_NONBLOCK: opening a pipe that nobody writes to would wait. Regular files do not know it.
  const Descriptor in(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (in.get() < 0 && errno == ENXIO) fail(no_file(S_IFSOCK));
  if (in.get() < 0) fail(reason());
  struct stat status = {};
  if (::fstat(in.get(), &status) != 0) fail(reason());
  if (const std::string why = no_file(status.st_mode); !why.empty()) fail(why);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (const std::string why = memory_shortage(static_cast<double>(size), "the text of the file");
      !why.empty())
    throw InputError(shown, why);
  std::string text;
  // Files of the kernel have no size: they are read to their end, as is what grows meanwhile.
  for (;;) {
    const std::size_t before = text.size();
    if (before >= text.capacity()) text.reserve(std::max(size + 1, 2 * before + 1));
    text.resize(std::min(before + kPiece, std::max(text.capacity(), before + 1)));
    const ssize_t got = ::read(in.get(), text.data() + before, text.size() - before);
    if (got < 0 && errno != EINTR) fail(reason());
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) return text;
    activity.advance(size > 0 ? static_cast<double>(text.size()) / static_cast<double>(size) : 1);
  }
}

std::string as_text(std::string text, const std::string& file) {
  using std::string_view_literals::operator""sv;
  const std::string_view start = std::string_view(text).substr(0, 4);
  for (const auto& [mark, name] : {std::pair{"\xff\xfe\0\0"sv, "UTF-32"},
                                   {"\0\0\xfe\xff"sv, "UTF-32"},
                                   {"\xff\xfe"sv, "UTF-16"},
                                   {"\xfe\xff"sv, "UTF-16"}}) {
    if (start.starts_with(mark))
      throw InputError(file, fmt::format("is encoded in {}; expected UTF-8: save it as UTF-8.", name));
  }
  if (const std::size_t zero = text.find('\0'); zero != std::string::npos) {
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(zero), '\n');
    throw InputError(fmt::format("{}:{}", file, line),
                     "the file contains a zero byte, as binary files do; expected text in UTF-8.");
  }
  if (start.starts_with("\xef\xbb\xbf"sv)) text.erase(0, 3);
  return text;
}

}  // namespace scree
