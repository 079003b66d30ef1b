// Facts about a program's own build, which the linker puts into it. It is C because Swift has no weak symbols.
#ifndef STOREKIT_VERIFY_BUILD_FACTS_H
#define STOREKIT_VERIFY_BUILD_FACTS_H

/// The commit of the source, as Git names it, with "-modified" after it if the source differed from that commit. Empty if
/// the linker got no object with the answer, as in every `swift build`; .ci/package links one.
const char *_Nonnull build_facts_commit(void);

/// The compiler, as it names itself. Empty under the same condition.
const char *_Nonnull build_facts_compiler(void);

#endif
