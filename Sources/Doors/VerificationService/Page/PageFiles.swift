#if Service
    internal import CAssets
    internal import HTTPTypes
    internal import Hummingbird
    internal import NIOCore

    /// The page for people: files that are part of the executable.
    enum PageFiles {
        /// The routes of the page. The page holds no payload, so it needs no bearer token; its requests do.
        static var routes: [Route] {
            [
                route("/", "index.html", "text/html; charset=utf-8"),
                route("/page.css", "page.css", "text/css; charset=utf-8"),
            ] + modules.map { route("/\($0).js", "\($0).js", "text/javascript; charset=utf-8") }
        }

        /// The page's script: modules of ECMAScript, the first of which imports the others.
        private static let modules = [
            "page", "customers", "details", "dom", "inspection", "members", "notifications", "service",
            "values",
        ]

        /// - Parameter file: copied once, at the start; every answer shares the copy.
        private static func route(_ path: String, _ file: String, _ type: String) -> Route {
            let body = ByteBuffer(asset: file)
            return Route(.get, path, .everyone, isCounted: false) { request in
                try request.allowQuery([])
                var fields = securityFields
                fields[.contentType] = type
                return Response(status: .ok, headers: fields, body: .init(byteBuffer: body))
            }
        }

        /// Scripts and styles come from the service alone, text is never read as markup, and no other page may frame this
        /// one (Content Security Policy Level 3; Trusted Types). The script fetches pictures with the token.
        private static var securityFields: HTTPFields {
            var fields: HTTPFields = [
                .contentSecurityPolicy: """
                default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src blob:; base-uri 'none'; \
                form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
                """,
                .xContentTypeOptions: "nosniff", .cacheControl: "no-store",
            ]
            if let name = HTTPField.Name("Referrer-Policy") { fields[name] = "no-referrer" }
            return fields
        }
    }

    extension ByteBuffer {
        /// A copy of a file that is part of the executable.
        init(asset name: String) {
            let file = unsafe asset_named(name)
            unsafe self.init(bytes: UnsafeBufferPointer(start: file.start, count: file.count))
        }
    }
#endif
