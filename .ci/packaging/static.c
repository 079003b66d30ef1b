/* What a command without shared libraries does before Swift's runtime starts. */

#include <nss.h>
#include <openssl/crypto.h>
#include <stdlib.h>

/* Swift's runtime has it for programs that know their arguments. */
void _swift_stdlib_overrideUnsafeArgvArgc(char **arguments, int count);

/* The priority 101 is the first that programs may use. */
__attribute__((constructor(101))) static void prepare(int count, char **arguments) {
    /* A static command can load modules only of the C library that it was linked with: those of another system may end
       the process. /etc/nsswitch.conf may name modules; these sources of host names are built in. */
    __nss_configure_lookup("hosts", "files dns");
    /* openssl.cnf may name modules too: providers and engines. */
    OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL);
    /* A fresh root may have no /proc. Swift's runtime would read the arguments there, and the command's own path,
       beside which it looks for a tool that prints backtraces. The tool is not part of the package. */
    _swift_stdlib_overrideUnsafeArgvArgc(arguments, count);
    setenv("SWIFT_BACKTRACE", "enable=no,swift-backtrace=/", 0);
}
