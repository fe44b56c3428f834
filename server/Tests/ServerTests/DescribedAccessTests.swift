import Contract
import OpenAPI
import Testing

@testable import Gateway

@Suite struct DescribedAccessTests {
  @Test func theDescriptionSaysWhoMayDoWhatAsTheGatewayDoes() {
    for operation in Operation.all where operation.method != "OPTIONS" {
      let described: Set<Access> =
        switch operation.access {
        case .everybody: [.unasked, .anybody]
        case .contributors: [.contributors]
        case .viewers: [.viewers]
        case .accounts: [.accounts]
        case .members: [.members]
        }
      let rule = Access.rule(for: operation.route, operation.method)
      #expect(rule.map(described.contains) == true, "\(operation.id)")
    }
  }
}
