import Contract
import Foundation
import Testing

@testable import AppModel

@MainActor @Suite struct OwnDataModelTests {
  private func export(_ state: DataExport.State, permille: Int = 0) -> DataExport {
    DataExport(id: "one", state: state, createdAt: epoch, permille: permille)
  }

  @Test func anArchiveIsAskedForAndLookedAt() async throws {
    let bench = try await AccountBench.member()
    let model = bench.model.data
    async let asked: Void = model.ask()
    let request = await bench.transport.next()
    #expect(request.request.method == "POST" && request.request.target == Route.exports.path())
    #expect(request.request.headers["idempotency-key"]?.isEmpty == false)
    request.answer(202, export(.waiting))
    var made = export(.ready, permille: 1000)
    made.url = "/exports/one/seal"
    await bench.transport.next().answer(200, DataExportList(items: [made]))
    await asked
    #expect(model.exports == [made] && model.isThere && !model.isUnderWay && !model.isAsking)
    let base = try #require(URL(string: "https://clips.example/"))
    #expect(model.address(of: made, at: base)?.absoluteString == "https://clips.example/exports/one/seal")
    #expect(model.address(of: export(.working), at: base) == nil)
  }

  @Test func oneThatIsUnderWayElsewhereIsShownAndNothingIsSaid() async throws {
    let bench = try await AccountBench.member()
    let model = bench.model.data
    async let asked: Void = model.ask()
    await bench.transport.next().refuse(.exportUnderWay)
    await bench.transport.next().answer(200, DataExportList(items: [export(.failed)]))
    await asked
    #expect(bench.news == [] && model.exports.map(\.state) == [.failed])
  }

  @Test func oneThatIsDeletedIsGoneAlsoWhereItIsOverAlready() async throws {
    let bench = try await AccountBench.member()
    let model = bench.model.data
    async let watched: Void = model.watch()
    await bench.transport.next().answer(200, DataExportList(items: [export(.ready)]))
    await watched
    async let deleted: Void = model.delete(export(.ready))
    await bench.transport.next().refuse(.exportNotFound)
    await deleted
    #expect(model.exports == [] && bench.news == [])
  }
}
