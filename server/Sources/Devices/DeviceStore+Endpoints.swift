internal import Contract
internal import Features
internal import Platform

extension DeviceStore {
  var endpoints: [Endpoint] {
    [
      // Somebody who has done nothing yet has none, and learns whether there is anything to ask for.
      Endpoint(reading: "devices") { call in try await devices(of: call.viewer) },
      Endpoint("registerDevice") { call in
        let new = try await call.body(NewPushDevice.self)
        return try await register(new, by: call.writer())
      },
      Endpoint("registerWebDevice") { call in
        let new = try await call.body(NewWebDevice.self)
        return try await register(new, by: call.writer())
      },
      Endpoint(doing: "removeDevice") { call in try await remove(call.id, of: call.viewer?.id ?? "") },
    ]
  }
}
