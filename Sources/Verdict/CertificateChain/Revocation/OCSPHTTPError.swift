/// The reasons why HTTP brought no answer from a responder.
public enum OCSPHTTPError: Error, Hashable, Sendable {
    /// The responder's address is not a valid `http` address.
    case address
    /// The responder's address has this scheme. `HTTPOCSPTransport` speaks `http` alone.
    case scheme(String)
    /// The name has no address, by the resolver's words.
    case name(String)
    /// A system call on the connection failed: its purpose, and the system's words.
    case connection(String)
    /// The status is this one, not 200. Redirections are not followed.
    case status(Int)
    /// The beginning of the answer is not a head of HTTP's, is too long, or states too long a body.
    case head(String)
    /// The body has more bytes than this limit.
    case tooLong(limit: Int)
    /// The connection ended after this many bytes of the body; its header stated the other number.
    case cutShort(bytes: Int, stated: Int)
    /// The time was up.
    case timeout
    /// The task was cancelled.
    case cancelled
    /// The process is about to end.
    case closed
}

extension OCSPHTTPError: CustomStringConvertible {
    /// The reason, in a clause.
    public var description: String {
        switch self {
        case .address: "this is not an address of HTTP's"
        case .scheme(let name): "the scheme is \(name), and responders are asked over http alone"
        case .name(let reason): "the host has no address: \(reason)"
        case .connection(let reason): reason
        case .status(let code): "the HTTP status is \(code), not 200"
        case .head(let reason): "this is no answer of HTTP's: \(reason)"
        case .tooLong(let limit): "the answer is longer than \(limit) bytes"
        case .cutShort(let bytes, let stated): "the answer ended after \(bytes) of \(stated) bytes"
        case .timeout: "the time is up"
        case .cancelled: "the request was cancelled"
        case .closed: "the process is about to end"
        }
    }
}
