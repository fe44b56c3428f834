/// Devices that are told of what happens while the app is not open.
extension Client {
  /// The same token again, by whoever has the device now, is the same device: an app registers each time it
  /// is started, and after each sign-in.
  public func register(_ new: NewPushDevice) async throws -> PushDevice {
    try await write("POST", new, to: Route.devices.path())
  }

  public func devices() async throws -> PushDevices { try await get(Route.devices.path()) }

  public func removeDevice(_ id: String) async throws {
    try await send(WireRequest("DELETE", Route.device.path(id)))
  }
}
