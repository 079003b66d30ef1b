import Foundation
import RepositoryFiles
import StoreKitTestSession
import TestServerAPI
import Testing

/// The shared table of cases, at the test store's server.
@Suite struct DoorCaseTests {
    private let cases: DoorCases

    init() throws { cases = try DoorCases() }

    /// The answer's error about a test notification whose token stands in the path like this.
    private func status(ofTest token: String) throws -> (status: Int, error: Int?) {
        let response = try ServerAPIScene().send("GET", "/inApps/v1/notifications/test/\(token)")
        let object = try? JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
        return (response.status, object?["errorCode"] as? Int)
    }

    @Test func `percent-encoding is that of the table`() throws {
        #expect(cases.groups["percentEncoding"]?.concerns(.testStore) == true)
        for each in cases.percentEncoding {
            let item = ServerAPIRequest("GET", target: "/?a=\(each.text)").query.first
            // A text that is refused stays as it was sent.
            #expect(item?.value == each.query ?? each.text, "\(each.text)")
            // No part of a path is refused alone: there is no such path then, and no Apple error.
            let answer = try status(ofTest: each.text)
            #expect((answer.error == nil) == (each.path == nil), "\(each.text): \(answer)")
        }
    }

    @Test func `the token of a test notification is a UUID of the table`() throws {
        #expect(cases.groups["uuids"]?.concerns(.testStore) == true)
        for each in cases.uuids where !each.text.isEmpty {
            let encoded = try #require(each.text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            let answer = try status(ofTest: encoded)
            #expect(answer.status == (each.isUUID ? 404 : 400), "\(each.text.debugDescription): \(answer)")
        }
    }
}
