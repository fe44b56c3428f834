internal import Contract
public import Features
internal import Platform

extension Exports {
  /// Its job is done by a worker of its own (`ExportHandler`), so that no conversion waits for it.
  public var feature: Feature {
    Feature(
      endpoints: [
        Endpoint("requestExport") { call in
          let key = try call.idempotencyKey()
          let account = try call.account().id
          return try await request(by: account, idempotencyKey: key)
        },
        Endpoint(reading: "exports") { try await list(of: try $0.account().id) },
        Endpoint(doing: "deleteExport") { try await delete($0.id, of: try $0.account().id) },
      ], jobs: [],
      periodicTasks: [
        PeriodicTask(.hourly, failure: "old archives cannot be removed now") { try await sweep() }
      ]
        + (telling == nil
          ? []
          : [
            PeriodicTask(.servers(every: .seconds(10)), failure: "nobody can be told of archives now") {
              try await tell()
            }
          ]),
      merging: nil, erasing: self, exporting: self)
  }
}
