#if Service
    internal import HTTPTypes
    internal import Hummingbird
    internal import NIOCore

    /// The page for people: files that are part of the executable.
    enum PageFiles {
        /// The routes of the page. The page holds no payload, so it needs no bearer token; what it asks the service does.
        static var routes: [Route] {
            [
                route("/", PackageResources.index_html, "text/html; charset=utf-8"),
                route("/page.css", PackageResources.page_css, "text/css; charset=utf-8"),
            ] + modules.map { route("/\($0.name).js", $0.bytes, "text/javascript; charset=utf-8") }
        }

        /// The page's script: modules of ECMAScript, the first of which imports the others.
        private static var modules: [(name: String, bytes: [UInt8])] {
            [
                ("page", PackageResources.page_js), ("customers", PackageResources.customers_js),
                ("details", PackageResources.details_js), ("dom", PackageResources.dom_js),
                ("inspection", PackageResources.inspection_js), ("members", PackageResources.members_js),
                ("notifications", PackageResources.notifications_js),
                ("service", PackageResources.service_js), ("values", PackageResources.values_js),
            ]
        }

        /// - Parameter bytes: copied once, at the start; every answer shares the copy.
        private static func route(_ path: String, _ bytes: [UInt8], _ type: String) -> Route {
            let body = ByteBuffer(bytes: bytes)
            return Route(.get, path, .everyone, isCounted: false) { request in
                try request.allowQuery([])
                var fields = securityFields
                fields[.contentType] = type
                return Response(status: .ok, headers: fields, body: .init(byteBuffer: body))
            }
        }

        /// Scripts and styles come from the service alone, text is never read as markup, and no other page may frame this
        /// one (Content Security Policy Level 3; Trusted Types). Pictures are what the script has fetched with the token.
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
#endif
