// One import gives a user the types of the modules below that the API is made of: receipts, anchors and certificates, and
// revocation. The modules of formats have no public types: PayloadError reports their failures.
@_exported public import AppReceipts
@_exported public import CertificateChain
