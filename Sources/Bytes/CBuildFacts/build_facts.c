#include "build_facts.h"

/* Weak: the linker takes another object's function of the same name, if there is one. */
__attribute__((weak)) const char *_Nonnull build_facts_commit(void) { return ""; }
__attribute__((weak)) const char *_Nonnull build_facts_compiler(void) { return ""; }
