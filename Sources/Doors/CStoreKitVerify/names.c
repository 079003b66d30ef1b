// The constants of storekit_verify.h as texts.
#include "storekit_verify.h"

#define NUMBER_TO_TEXT(number) #number
#define VERSION_TEXT(major, minor, patch) NUMBER_TO_TEXT(major) "." NUMBER_TO_TEXT(minor) "." NUMBER_TO_TEXT(patch)

uint32_t skv_version(void) { return SKV_VERSION_NUMBER; }

const char *skv_version_string(void) {
    return VERSION_TEXT(SKV_VERSION_MAJOR, SKV_VERSION_MINOR, SKV_VERSION_PATCH);
}

const char *skv_status_message(int32_t status) {
    switch (status) {
    case SKV_OK: return "the call was carried out";
    case SKV_INVALID_ARGUMENT: return "a pointer that must not be NULL is, or a number is not one of its enumeration";
    case SKV_INVALID_OPTIONS: return "the options are not one JSON object of known members with values of their types";
    case SKV_INVALID_ROOT: return "a root is neither a certificate in DER nor certificates in PEM";
    case SKV_INVALID_OFFSETS: return "the offsets do not ascend from 0 or more to the data's length or less";
    case SKV_INVALID_ARROW: return "the Arrow array is not of strings or binary, or is damaged";
    case SKV_OUT_OF_MEMORY: return "the system has not enough memory for the results";
    case SKV_INVALID_HANDLE: return "the object was given back before, or does not belong to this library";
    default: return "this version has no such status";
    }
}

const char *skv_code_name(int32_t code) {
    switch (code) {
    case SKV_VERIFIED: return "verified";
    case SKV_TOO_LARGE: return "tooLarge";
    case SKV_INVALID_ENCODING: return "invalidEncoding";
    case SKV_INVALID_CERTIFICATE_CHAIN: return "invalidCertificateChain";
    case SKV_INVALID_SIGNATURE: return "invalidSignature";
    case SKV_MISSING_REQUIRED_PROPERTIES: return "missingRequiredProperties";
    case SKV_REVOKED_CERTIFICATE: return "revokedCertificate";
    case SKV_REVOCATION_UNKNOWN: return "revocationUnknown";
    case SKV_WRONG_ENVIRONMENT: return "wrongEnvironment";
    case SKV_WRONG_BUNDLE_IDENTIFIER: return "wrongBundleIdentifier";
    case SKV_WRONG_APP_APPLE_IDENTIFIER: return "wrongAppAppleIdentifier";
    case SKV_INVALID_DEVICE_VERIFICATION: return "invalidDeviceVerification";
    default: return NULL;
    }
}

const char *skv_kind_name(int32_t kind) {
    switch (kind) {
    case SKV_KIND_TRANSACTION: return "transaction";
    case SKV_KIND_RENEWAL_INFO: return "renewalInfo";
    case SKV_KIND_APP_TRANSACTION: return "appTransaction";
    case SKV_KIND_NOTIFICATION: return "notification";
    case SKV_KIND_REALTIME_REQUEST: return "realtimeRequest";
    case SKV_KIND_RECEIPT: return "receipt";
    case SKV_KIND_UNKNOWN: return "unknown";
    default: return NULL;
    }
}
