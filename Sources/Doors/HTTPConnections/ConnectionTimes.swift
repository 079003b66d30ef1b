#if Service || TestServer
    /// How long a connection may take for each part of its work.
    package struct ConnectionTimes: Sendable {
        /// For the head of a request, and between requests.
        package var idle = Duration.seconds(60)
        /// For the whole body of a request. Of a stream: from one part to the next.
        package var body = Duration.seconds(30)
        /// For a client to read written bytes.
        package var writing = Duration.seconds(30)
        /// For a client that still sends, when it was answered already: it must have time to read the answer.
        package var draining = Duration.seconds(2)
        /// For a request that is under way when the server ends.
        package var ending = Duration.seconds(1)

        package init() {}
    }
#endif
