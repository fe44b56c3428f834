import Hummingbird

/// Hummingbird's first example, as its documentation writes it.
@main
enum Hello {
  static func main() async throws {
    let router = Router()
    router.get("hello") { _, _ in "Hello" }
    let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8081
    let application = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)))
    try await application.runService()
  }
}
