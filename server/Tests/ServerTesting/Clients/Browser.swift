import Contract
import Foundation

@testable import PlatformTesting

/// A transport that keeps the guest's cookie, as a browser does.
final class Browser: Transport {
  private let transport: SocketTransport
  private let cookie = Shared<String?>(nil)

  init(_ transport: SocketTransport) { self.transport = transport }

  var client: Client { Client(transport: self) }
  var isKnown: Bool { cookie.with { $0 != nil } }

  func send(_ request: WireRequest) async throws -> WireResponse {
    var request = request
    request.headers["cookie"] = cookie.with { $0 }
    let answer = try await transport.send(request)
    if let given = answer.headers["set-cookie"]?.split(separator: ";").first {
      cookie.with { $0 = String(given) }
    }
    return answer
  }

  /// The status and the code of a problem, if the answer is one.
  func status(_ method: String, _ target: String, _ body: String? = nil, type: String = "application/json")
    async throws -> (status: Int, code: String, detail: String)
  {
    let answer = try await send(
      WireRequest(
        method, target, headers: body == nil ? [:] : ["content-type": type], body: body.map { Data($0.utf8) })
    )
    let problem = try? WireCoding.decode(Problem.self, from: answer.body)
    return (answer.status, problem?.code ?? "", problem?.detail ?? "")
  }
}
