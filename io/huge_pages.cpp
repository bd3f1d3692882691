/// What the allocator reads before main: pages of 2 MB where the system has them on request.
///
/// Pairs, rows and blocks of 10,000 bodies lie in about 10^5 pieces over 200 MB; with pages of 4 KB a fifth
/// of a step went into looking up where they are (measured with bench/scaling.py). The system's allocator can
/// do the same by GLIBC_TUNABLES, but only from outside of the program.
extern "C" const char* malloc_conf;  // jemalloc(3), "TUNING"
const char* malloc_conf = "thp:always";
