internal import Contract

extension Operation {
  static let devices: [Operation] =
    reading(
      "devices", .devices, "devices",
      "Devices on which whoever asks is told of what happens, registered last first.",
      PushDevices.self, links: Link.byID(at: "/items/0/id", "removeDevice"))
    + [
      Operation(
        id: "registerDevice", route: .devices, method: "POST", tag: "devices",
        summary: "Registers a device for notifications by Apple's service.",
        about:
          "The same token again is the same device. It is whose who registered it last: what was on its way to "
          + "another is not sent. It goes with the session that registered it, and with the account.",
        bodies: [.json(NewPushDevice.self)],
        answers: [
          .json(200, "The device.", PushDevice.self, links: Link.byID(at: "/id", "removeDevice"))
        ],
        codes: [.pushOff, .topicUnknown, .invalidParameter], access: .contributors,
        limit: .caller(.accountChanges)),
      Operation(
        id: "registerWebDevice", route: .webDevices, method: "POST", tag: "devices",
        summary: "Registers a browser for notifications by its push service (RFC 8030).",
        about:
          "The same endpoint again is the same device, as the same token is. `web_key` of the list of devices is the "
          + "`applicationServerKey` to subscribe with.",
        bodies: [.json(NewWebDevice.self)],
        answers: [
          .json(200, "The device.", PushDevice.self, links: Link.byID(at: "/id", "removeDevice"))
        ],
        codes: [.pushOff, .webDeviceRefused, .invalidParameter], access: .contributors,
        limit: .caller(.accountChanges)),
      Operation(
        id: "removeDevice", route: .device, method: "DELETE", tag: "devices",
        summary: "Ends the notifications on a device.", answers: [.empty(204, "It is told no more.")],
        codes: [.deviceNotFound], access: .viewers, limit: .caller(.accountChanges)),
    ]
}
