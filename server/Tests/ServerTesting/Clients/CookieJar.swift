import Contract
import Foundation
import Synchronization

/// A transport that keeps cookies as a browser does: by name and path, as long as they are not over.
final class CookieJar: Transport {
  private let inner: SocketTransport
  private let headers: [String: String]
  /// By name, a blank and path.
  private let kept = Mutex<[String: (name: String, value: String, path: String)]>([:])

  init(_ inner: SocketTransport, headers: [String: String] = [:]) {
    self.inner = inner
    self.headers = headers
  }

  var names: Set<String> { kept.withLock { Set($0.values.map(\.name)) } }
  subscript(name: String) -> String? {
    get { kept.withLock { kept in kept.values.first { $0.name == name }?.value } }
    set {
      kept.withLock { kept in
        for (key, cookie) in kept where cookie.name == name { kept[key]?.value = newValue ?? "" }
      }
    }
  }

  /// Another browser with the same cookies.
  func copied(headers: [String: String] = [:]) -> CookieJar {
    copied(to: inner, self.headers.merging(headers) { $1 })
  }

  /// The same browser at a server that was started anew.
  func moved(to server: SocketTransport) -> CookieJar { copied(to: server, headers) }

  private func copied(to server: SocketTransport, _ headers: [String: String]) -> CookieJar {
    let copy = CookieJar(server, headers: headers)
    let all = kept.withLock { $0 }
    copy.kept.withLock { $0 = all }
    return copy
  }

  func send(_ request: WireRequest) async throws -> WireResponse {
    var request = request
    let path = request.target.split(separator: "?").first.map(String.init) ?? "/"
    let cookies = kept.withLock { kept in
      kept.filter { _, cookie in
        path == cookie.path || path.hasPrefix(cookie.path.hasSuffix("/") ? cookie.path : cookie.path + "/")
      }
      .map { "\($0.value.name)=\($0.value.value)" }
    }
    request.headers.merge(headers) { own, _ in own }
    if !cookies.isEmpty { request.headers["cookie"] = cookies.sorted().joined(separator: "; ") }
    let response = try await inner.send(request)
    for line in (response.headers["set-cookie"] ?? "").split(separator: "\n") {
      let parts = line.components(separatedBy: "; ")
      guard let split = parts[0].firstIndex(of: "=") else { continue }
      let name = String(parts[0][..<split])
      let path = parts.first { $0.hasPrefix("Path=") }.map { String($0.dropFirst(5)) } ?? "/"
      let isOver = parts.contains("Max-Age=0")
      let value = String(parts[0][parts[0].index(after: split)...])
      kept.withLock { $0["\(name) \(path)"] = isOver ? nil : (name, value, path) }
    }
    return response
  }
}

/// A transport that says who it is, as an app does.
struct Bearer: Transport {
  let inner: any Transport
  let token: String

  func send(_ request: WireRequest) async throws -> WireResponse {
    var request = request
    if request.headers["authorization"] == nil { request.headers["authorization"] = "Bearer \(token)" }
    return try await inner.send(request)
  }
}

extension Transport {
  /// The status and the code of the problem, if it is one.
  func answer(
    _ method: String, _ target: String, _ body: String? = nil, _ headers: [String: String] = [:]
  ) async throws -> (status: Int, code: String?, response: WireResponse) {
    var all = headers
    if body != nil, all["content-type"] == nil { all["content-type"] = "application/json" }
    let response = try await send(WireRequest(method, target, headers: all, body: body.map { Data($0.utf8) }))
    let problem = try? WireCoding.decode(Problem.self, from: response.body)
    return (response.status, problem?.code, response)
  }
}
