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
}
