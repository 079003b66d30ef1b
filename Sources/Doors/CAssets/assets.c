// The files that the service answers with: its description and its page.
//
// They are embedded in C because a literal of Swift takes the compiler half a minute for as many bytes, in each build, and C
// has #embed (ISO/IEC 9899:2024, section 6.10.4). Without the trait Service, no executable has this module.

#include "assets.h"
#include <string.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char openapi_json[] = {
#embed "../VerificationService/Resources/openapi.json"
};

static const unsigned char index_html[] = {
#embed "../VerificationService/Page/Files/index.html"
};

static const unsigned char page_css[] = {
#embed "../VerificationService/Page/Files/page.css"
};

static const unsigned char page_js[] = {
#embed "../VerificationService/Page/Files/page.js"
};

static const unsigned char customers_js[] = {
#embed "../VerificationService/Page/Files/customers.js"
};

static const unsigned char details_js[] = {
#embed "../VerificationService/Page/Files/details.js"
};

static const unsigned char dom_js[] = {
#embed "../VerificationService/Page/Files/dom.js"
};

static const unsigned char inspection_js[] = {
#embed "../VerificationService/Page/Files/inspection.js"
};

static const unsigned char members_js[] = {
#embed "../VerificationService/Page/Files/members.js"
};

static const unsigned char notifications_js[] = {
#embed "../VerificationService/Page/Files/notifications.js"
};

static const unsigned char service_js[] = {
#embed "../VerificationService/Page/Files/service.js"
};

static const unsigned char values_js[] = {
#embed "../VerificationService/Page/Files/values.js"
};

#define ASSET(name, bytes) {name, {bytes, sizeof bytes}}

static const struct {
    const char *name;
    asset file;
} assets[] = {
    ASSET("openapi.json", openapi_json),
    ASSET("index.html", index_html),
    ASSET("page.css", page_css),
    ASSET("page.js", page_js),
    ASSET("customers.js", customers_js),
    ASSET("details.js", details_js),
    ASSET("dom.js", dom_js),
    ASSET("inspection.js", inspection_js),
    ASSET("members.js", members_js),
    ASSET("notifications.js", notifications_js),
    ASSET("service.js", service_js),
    ASSET("values.js", values_js),
};

asset asset_named(const char *name)
{
    for (size_t i = 0; i < sizeof assets / sizeof *assets; i++)
        if (strcmp(assets[i].name, name) == 0) return assets[i].file;
    return (asset){NULL, 0};
}
