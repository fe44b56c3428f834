import Accounts
import Contract
import Foundation
import Platform
import Testing

@testable import Composition
@testable import Gateway
@testable import PlatformTesting
@testable import ServerTesting

/// Devices on the wire, and which apps belong to the site.
@Suite struct DeviceRequestTests {
  private static let topic = "org.example.clipfeed"

  private let bench: TestInstance
  private let clock = TestTime(ms: SystemTime().nowMs)

  init() async throws { bench = try await TestInstance() }

  private func serving(
    apps: [String] = [], topic: String? = topic,
    _ body: @escaping @Sendable (SocketTransport) async throws -> Void
  ) async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords(), time: clock)
    try await bench.instance.serving(
      accounts: accounts, time: clock, apps: apps, pushTopic: topic, body)
  }

  @Test func aDeviceIsRegisteredListedAndRemoved() async throws {
    try await serving { socket async throws in
      let session = try await Client(transport: socket).signUp(NewAccount("ada"))
      let ada = Client(transport: Bearer(inner: socket, token: try #require(session.accessToken)))
      let new = NewPushDevice(
        token: String(repeating: "ab", count: 32), environment: .production, topic: Self.topic,
        locale: "de-CH")
      let device = try await ada.register(new)
      #expect(device.isCurrent && device.environment == .production && device.locale == "de-CH")
      #expect(try await ada.register(new).id == device.id)
      let list = try await ada.devices()
      #expect(list.items.map(\.id) == [device.id] && list.topic == Self.topic)
      let told = try await Bearer(inner: socket, token: try #require(session.accessToken)).answer(
        "GET", Route.devices.path())
      #expect(
        !String(decoding: told.response.body, as: UTF8.self).contains("abababab"),
        "a token is told to nobody")
      try await ada.removeDevice(device.id)
      #expect(try await ada.devices().items.isEmpty)
      // Whoever is not known becomes somebody by registering, and by nothing less.
      let looked = try await socket.answer("GET", Route.devices.path())
      #expect(looked.status == 200 && looked.response.headers["set-cookie"] == nil)
      let made = try await socket.answer(
        "POST", Route.devices.path(), String(decoding: try WireCoding.encode(new), as: UTF8.self))
      #expect(made.status == 200 && made.response.headers["set-cookie"] != nil)
    }
  }

  @Test func everyBadFieldIsRefusedByItsName() async throws {
    try await serving { socket async throws in
      let good: [String: String] = [
        "token": String(repeating: "a", count: 64), "environment": "sandbox", "topic": Self.topic,
      ]
      for (field, value, status, code) in [
        ("token", "", 400, "invalid_parameter"), ("token", "ab", 400, "invalid_parameter"),
        ("token", String(repeating: "A", count: 64), 400, "invalid_parameter"),
        ("token", String(repeating: "a", count: 201), 400, "invalid_parameter"),
        ("token", "../../../../etc/passwd", 400, "invalid_parameter"),
        ("environment", "production\u{0}", 400, "request_refused"),
        ("topic", "", 400, "invalid_parameter"), ("topic", "a b", 400, "invalid_parameter"),
        ("topic", "org.example.other", 422, "topic_unknown"),
        ("locale", "d", 400, "invalid_parameter"), ("locale", "de\r\nx: y", 400, "invalid_parameter"),
      ] {
        let body = try JSONSerialization.data(withJSONObject: good.merging([field: value]) { $1 })
        let answer = try await socket.answer(
          "POST", Route.devices.path(), String(decoding: body, as: UTF8.self))
        #expect(answer.status == status, "\(field) \(value)")
        #expect(answer.code == code || field == "environment", "\(field) \(value): \(answer.code ?? "")")
      }
    }
  }

  @Test func aServerThatTellsNobodySaysSo() async throws {
    try await serving(topic: nil) { socket async throws in
      let client = Client(transport: socket)
      #expect(try await client.devices() == PushDevices(items: []))
      let new = NewPushDevice(
        token: String(repeating: "a", count: 64), environment: .sandbox, topic: Self.topic)
      let answer = try await socket.answer(
        "POST", Route.devices.path(), String(decoding: try WireCoding.encode(new), as: UTF8.self))
      #expect(answer.status == 403 && answer.code == "push_off")
    }
  }

  // MARK: Apps of the site

  @Test func theAppsOfTheSiteAreToldAsAppleReadsThem() async throws {
    let apps = ["A1B2C3D4E5.org.example.clipfeed", "A1B2C3D4E5.org.example.clipfeed.beta"]
    try await serving(apps: apps) { socket async throws in
      let answer = try await socket.send(WireRequest("GET", Route.appSiteAssociation.path()))
      #expect(answer.status == 200 && answer.headers["content-type"] == "application/json")
      #expect(answer.headers["location"] == nil && answer.headers["set-cookie"] == nil)
      #expect(
        String(decoding: answer.body, as: UTF8.self)
          == ##"{"applinks":{"details":[{"appIDs":["A1B2C3D4E5.org.example.clipfeed","A1B2C3D4E5.org.example.clipfeed.beta"],"components":[{"/":"/c/*"},{"/":"/t/*"},{"#":"reset=?*","/":"/"},{"#":"confirm=?*","/":"/"}]}]},"webcredentials":{"apps":["A1B2C3D4E5.org.example.clipfeed","A1B2C3D4E5.org.example.clipfeed.beta"]}}"##
      )
      // What it says opens is what there is.
      #expect(Route.clipPage.template.hasPrefix("/c/") && Route.tagPage.template.hasPrefix("/t/"))
      let head = try await socket.send(WireRequest("HEAD", Route.appSiteAssociation.path()))
      #expect(head.status == 200 && head.body.isEmpty)
      #expect(try await socket.send(WireRequest("POST", Route.appSiteAssociation.path())).status == 405)
    }
    try await serving { socket async throws in
      let answer = try await socket.send(WireRequest("GET", Route.appSiteAssociation.path()))
      #expect(answer.status == 404)
    }
  }
}
