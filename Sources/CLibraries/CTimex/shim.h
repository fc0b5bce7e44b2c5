// How well the kernel's clock is kept. Part of the C library, and not of Swift's view of it.
#include <sys/timex.h>
