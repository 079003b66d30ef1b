// What a program is told about its own build when it is linked. It is C because Swift has no weak symbols.
#ifndef STOREKIT_VERIFY_BUILD_FACTS_H
#define STOREKIT_VERIFY_BUILD_FACTS_H

/// The commit of the source, as Git names it, with "-modified" after it if the source differed from that commit. Empty if
/// nobody told the linker, as in every `swift build`; .ci/package links an object with the answer.
const char *_Nonnull build_facts_commit(void);

/// The compiler, as it names itself. Empty under the same condition.
const char *_Nonnull build_facts_compiler(void);

#endif
