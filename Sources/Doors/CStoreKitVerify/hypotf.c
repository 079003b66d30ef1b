// The Swift runtime calls hypotf, which has had a new version since glibc 2.35: it reports a range error by errno no more.
// The C library is linked with --wrap=hypotf, so that these calls come here and take the first version, which every
// glibc has. Without that option nothing calls this function.
#include <math.h>

#if defined(__linux__) && defined(__GLIBC__) && defined(__x86_64__)
float skv_first_hypotf(float, float);
__asm__(".symver skv_first_hypotf, hypotf@GLIBC_2.2.5");
__attribute__((visibility("hidden"))) float __wrap_hypotf(float x, float y) { return skv_first_hypotf(x, y); }
#endif
