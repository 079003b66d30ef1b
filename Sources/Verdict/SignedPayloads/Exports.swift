// One import gives a user all the types: anchors, and the errors of every stage.
@_exported public import AppReceipts
@_exported public import CertificateChain
@_exported public import CompactJWS
@_exported public import Revocation
@_exported public import WireFormats
