import AppModel
import Contract
import Foundation
import PlaybackTesting
import Testing

@MainActor @Suite struct CredentialTests {
  @Test func aLockedKeychainLosesNothing() async throws {
    let store = MemoryCredentialStore()
    _ = try await SignInBench.signedIn(store: store)
    store.obstacle = .locked
    let bench = SignInBench(store: store)
    #expect(bench.host.signedIn == nil)
    // Reading goes on as nobody's, writing would make a guest.
    async let page = bench.client.likes()
    let parked = await bench.transport.next()
    #expect(parked.request.headers["authorization"] == nil)
    parked.answer(200, FeedPage(items: [], nextCursor: nil), headers: ["set-cookie": "clipfeed_guest=g2.a.b"])
    _ = try await page
    let error = await #expect(throws: APIError.self) { try await bench.client.like("one") }
    #expect(error == .credentialsLocked)
    store.obstacle = nil
    bench.host.unlock()
    #expect(bench.host.signedIn?.id == "ada")
  }

  @Test func whatCannotBeKeptNowIsKeptLater() async throws {
    let store = MemoryCredentialStore()
    let bench = SignInBench(store: store)
    store.obstacle = .failed(-34_018)
    async let session = bench.client.signIn(
      NewSession(handle: "ada", password: "correct horse", transport: .token))
    await bench.transport.next().answer(200, sampleSession(), headers: serverDate)
    _ = try await session
    #expect(bench.host.signedIn?.id == "ada")
    store.obstacle = nil
    async let page = bench.client.likes()
    await bench.transport.next().answer(200, FeedPage(items: [], nextCursor: nil))
    _ = try await page
    #expect(SignInBench(store: store).host.signedIn?.id == "ada")
  }

  @Test func tornBytesAreNobody() throws {
    let store = MemoryCredentialStore()
    for bytes in ["", "{", "[]", "null", #"{"session":{"id":"s"}}"#, "\u{0}\u{1}", #"{"guest":7}"#] {
      try store.save(Data(bytes.utf8))
      #expect(SignInBench(store: store).host.signedIn == nil)
    }
  }

  @Test func aDamagedPartCostsNoOther() async throws {
    let store = MemoryCredentialStore(
      Data(#"{"guest":{"name":"clipfeed_guest","value":"g2.a.b"},"session":{"id":1},"device":0}"#.utf8))
    let bench = SignInBench(store: store)
    #expect(await bench.host.headers()["authorization"] == "Bearer g2.a.b")
  }

  @Test func aFileHoldsWhatWasKeptOrNothing() throws {
    let folder = TemporaryFolder.path()
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appending(path: "credentials")
    let store = FileCredentialStore(url)
    #expect(try store.load() == nil)
    try store.save(Data("secret".utf8))
    #expect(try store.load() == Data("secret".utf8))
    let whole = try Data(contentsOf: url)
    let permissions = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    #expect(permissions == 0o600)
    try whole.dropLast().write(to: url)
    #expect(try store.load() == nil)
  }
}
