// One import gives a user the whole vocabulary: anchors, and the errors of every stage.
@_exported public import AppReceipts
@_exported public import CertificateChain
@_exported public import CompactJWS
@_exported public import Revocation
@_exported public import WireFormats
