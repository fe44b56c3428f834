import Contract
import OpenAPI
import Platform
import Testing

@testable import Gateway
@testable import PlatformTesting

/// Every route and method for everybody who may ask.
@Suite struct AccessTests {
  @Test func everyRouteIsForThoseInTheMatrixAndForNobodyElse() {
    var met: Set<String> = []
    for route in Route.all {
      for method in route.methods where !["HEAD", "OPTIONS"].contains(method) {
        let name = "\(method) \(route.template)"
        met.insert(name)
        let rule = Operation.Access.rule(for: route, Operation.of(route, method))
        guard let rule, let allowed = AccessMatrix.rows[name] else {
          Issue.record("nobody has said who may \(name)")
          continue
        }
        let admitted = Set(AccessMatrix.Asker.allCases.filter { (try? rule.admit($0.viewer)) != nil })
        #expect(admitted == allowed, "\(name)")
        // Looking without the body is looking.
        if method == "GET" {
          let ofHead = Operation.Access.rule(for: route, Operation.of(route, "HEAD"))
          #expect(ofHead == rule || !route.methods.contains("HEAD"), "HEAD \(route.template)")
        }
      }
    }
    #expect(met == Set(AccessMatrix.rows.keys))
  }

  @Test func aKeyOpensTheDialectAloneAndNoMoreThanItsScopes() {
    func viewer(_ scopes: Set<APIKeyScope>, isSuspended: Bool = false) -> Viewer {
      Viewer(id: "a", standing: .key(scopes: scopes), isSuspended: isSuspended)
    }
    func refusal(_ rule: Operation.Access, _ viewer: Viewer) -> ErrorCode? {
      do {
        try rule.admit(viewer)
        return nil
      } catch { return (error as? AppError)?.code }
    }
    let all = Set(APIKeyScope.allCases)
    for route in Route.all {
      for method in route.methods where method != "OPTIONS" {
        guard let rule = Operation.Access.rule(for: route, Operation.of(route, method)) else { continue }
        let what: Comment = "\(method) \(route.template)"
        if route.isOfDialect {
          #expect(refusal(rule, viewer(all)) == nil, what)
          #expect(refusal(rule, viewer([])) == .apiKeyNotAllowed, what)
          #expect(refusal(rule, viewer(all, isSuspended: true)) == .accountSuspended, what)
          let isReading = ["GET", "HEAD"].contains(method)
          #expect(rule == .key(isReading ? .readVideos : .writeVideos), what)
        } else if route.isOfAPI {
          #expect(refusal(rule, viewer(all)) == .apiKeyInvalid, what)
        }
      }
    }
  }
}
