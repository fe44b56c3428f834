/// What an account takes along.
extension Client {
  /// Asks for an archive. The same key again is the same archive. Throws `export_under_way` and
  /// `exports_too_many`.
  public func requestExport(idempotencyKey: String) async throws -> DataExport {
    try await answer(
      to: WireRequest("POST", Route.exports.path(), headers: ["idempotency-key": idempotencyKey]))
  }

  public func exports() async throws -> DataExportList { try await get(Route.exports.path()) }

  /// Throws `export_not_found`.
  public func deleteExport(_ id: String) async throws {
    try await send(WireRequest("DELETE", Route.export.path(id)))
  }
}
