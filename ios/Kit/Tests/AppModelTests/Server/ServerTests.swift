import AppModel
import Contract
import Foundation
import Persistence
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct ServerAddressTests {
  @Test(arguments: [
    ("clips.example.org", "https://clips.example.org/"),
    (" https://Clips.Example.org ", "https://clips.example.org/"),
    ("clips.example.org:8443", "https://clips.example.org:8443/"),
    ("192.168.1.4:8080", "http://192.168.1.4:8080/"), ("http://10.0.0.4", "http://10.0.0.4/"),
    ("mini.local:8080", "http://mini.local:8080/"), ("localhost:8080", "http://localhost:8080/"),
    ("https://127.0.0.1/", "https://127.0.0.1/"), ("https://a.org/?x#y", "https://a.org/"),
  ])
  func takesWhatPeopleType(text: String, url: String) {
    #expect(ServerAddress(text)?.url.absoluteString == url)
  }

  @Test(arguments: [
    "", "  ", "http://example.org", "ftp://example.org", "https://", "https://user:secret@example.org",
    "https://example.org/feed", "https://exa mple.org", "https://example..org", "example.org:0",
    "example.org:99999", "javascript:alert(1)", "https://ex%61mple.org", "http://172.32.0.1",
    "https://" + String(repeating: "a", count: 300) + ".org",
  ])
  func refusesWhatIsNoAddress(text: String) {
    #expect(ServerAddress(text) == nil)
  }

  @Test func readsBackWhatItShows() throws {
    for text in ["clips.example.org", "http://10.0.0.4:8080", "clips.example.org:8443"] {
      let address = try #require(ServerAddress(text))
      #expect(address.text == text)
      #expect(ServerAddress(address.text) == address)
    }
  }
}

@MainActor @Suite struct ServerModelTests {
  private let health = Health(status: "ok")

  @Test func asksAtTheFirstStartAndKeepsWhatAnswered() async throws {
    try await withFolder { folder in
      let file = StoredFile<String>(folder.appending(path: "server"))
      let health = health
      let model = ServerModel(file: file, suggestion: "clips.example.org") { _ in health }
      #expect(model.state == .asking)
      var changed: [String] = []
      model.onChanged = { changed.append($0.absoluteString) }
      model.confirm()
      #expect(model.state == .checking)
      #expect(await soon { model.url != nil })
      #expect(changed == ["https://clips.example.org/"])
      let next = ServerModel(file: file, suggestion: "") { _ in health }
      #expect(next.url?.absoluteString == "https://clips.example.org/")
    }
  }

  @Test(arguments: [0, 1, 2])
  func aServerThatDoesNotAnswerIsNotKept(kind: Int) async throws {
    try await withFolder { folder in
      let file = StoredFile<String>(folder.appending(path: "server"))
      let model = ServerModel(file: file, suggestion: "clips.example.org") { _ in
        switch kind {
        case 0: throw URLError(.cannotFindHost)
        case 1: throw Problem(.unavailable, requestID: "")
        default: return try WireCoding.decode(Health.self, from: Data("<html>Sign in</html>".utf8))
        }
      }
      model.confirm()
      #expect(await soon { model.state == .asking })
      #expect(model.failure != nil)
      #expect(file.load() == nil)
      model.text += "x"
      #expect(model.failure == nil)
    }
  }

  @Test func anotherAddressThatFailsLeavesTheFirst() async throws {
    try await withFolder { folder in
      let file = StoredFile<String>(folder.appending(path: "server"))
      file.save("https://a.org/")
      let model = ServerModel(file: file, suggestion: "") { _ in throw URLError(.timedOut) }
      model.text = "b.org"
      model.confirm()
      #expect(await soon { model.failure != nil })
      #expect(model.url?.absoluteString == "https://a.org/")
      model.text = "not an address"
      model.confirm()
      #expect(model.failure == "This is no address of a server. It looks like clips.example.org.")
    }
  }
}
