internal import Libc

extension FileDescriptor {
    /// Whether there is input, or its end, within this many milliseconds.
    ///
    /// A signal during the wait counts as no input; the caller asks again sooner or later.
    package func hasInput(within milliseconds: Int32) -> Bool {
        var descriptor = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&descriptor, 1, milliseconds) > 0
    }

    /// Waits until this descriptor or the other one is readable, such as a stop request's.
    package func waitForInput(or other: Int32) {
        var descriptors = [
            pollfd(fd: number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        // A signal can end the wait before a stop request makes a descriptor readable, so wait again.
        while unsafe poll(&descriptors, 2, -1) < 0, errno == EINTR {}
    }

    /// Waits until a descriptor that does not block can be read or written.
    ///
    /// An interrupted wait returns early, and the caller's next try finds `EAGAIN` again.
    func waitUntilReady(for event: Int16) {
        var descriptor = pollfd(fd: number, events: event, revents: 0)
        _ = unsafe poll(&descriptor, 1, -1)
    }
}
