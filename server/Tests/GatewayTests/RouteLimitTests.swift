import Contract
import OpenAPI
import Platform
import Testing

@testable import Gateway

/// Every route that writes takes a token.
@Suite struct RouteLimitTests {
  private func rule(for route: Route, _ method: String) -> RouteLimit? {
    RouteLimit.rule(for: route, method, Operation.of(route, method))
  }

  @Test func everyMethodHasARuleAndEveryOneThatWritesABucket() {
    for route in Route.all {
      for method in route.methods {
        let rule = rule(for: route, method)
        #expect(rule != nil, "nobody has said how often \(method) \(route.template)")
        if !["GET", "HEAD", "OPTIONS"].contains(method) {
          #expect(rule != .free, "\(method) \(route.template)")
        }
      }
    }
    // It ends what others send, so it is no mere look.
    #expect(rule(for: .upload, "HEAD") != .free)
  }
}
