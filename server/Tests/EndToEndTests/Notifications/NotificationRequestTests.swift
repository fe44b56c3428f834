import Accounts
import Contract
import Foundation
import Platform
import Social
import Testing
import WebPush

@testable import Composition
@testable import Devices
@testable import PlatformTesting
@testable import ServerTesting

/// Notifications on the wire, and a browser that is told of them.
@Suite struct NotificationRequestTests {
  private let bench: TestInstance
  private let clock = TestTime(ms: SystemTime().nowMs)

  init() async throws { bench = try await TestInstance() }

  private func makeSender(time: (any TimeSource)? = nil) async throws -> WebPushSender {
    let time = time ?? clock
    return WebPushSender(
      try await ServerKey.of(bench.instance.settings, contact: "mailto:ops@example.org", time: time),
      allowing: [try #require(NetworkAddress("127.0.0.1"))], time: time)
  }

  @Test func aBrowserIsToldOfALikeUntilItsPersonSignsOut() async throws {
    // What likes and follows go by over the wire.
    let clock = SystemTime()
    let service = try PushService(time: clock)
    let sender = try await makeSender(time: clock)
    #expect(try await makeSender().key == sender.key, "the key is made once")
    let delivery = PushDelivery(
      bench.instance.devices(web: sender, time: clock), by: PushServices([.web: sender]))
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords(), time: clock)
    let bench = bench
    try await bench.instance.serving(accounts: accounts, time: clock, webPush: sender) {
      socket async throws in
      let session = try await Client(transport: socket).signUp(NewAccount("ada"))
      let ada = Client(transport: Bearer(inner: socket, token: try #require(session.accessToken)))
      let other = try await Client(transport: socket).signUp(NewAccount("bob"))
      let bob = Client(transport: Bearer(inner: socket, token: try #require(other.accessToken)))
      let clip = try await bench.publishBare("sea", by: session.account.id)
      let key = try #require(try await ada.devices().webKey)
      let browser = service.subscribe(to: key)
      let device = try await ada.register(browser)
      #expect(device.environment == nil && device.topic == nil && device.isCurrent)
      #expect(try await ada.register(browser).id == device.id)
      _ = try await bob.like(clip)
      try await delivery.sendDue()
      #expect(service.refusals == [])
      #expect(
        service.pushes.map(\.object) == [
          [
            "title": "Clipfeed", "body": "bob likes your clip", "tag": "like", "url": "/c/\(clip)",
            "sentence": "%@ likes your clip",
          ]
        ])
      #expect(try await ada.unseenNotifications().unseen == 1)
      let page = try await ada.notifications(limit: 5)
      #expect(page.items.map(\.kind) == ["like"] && page.items.first?.people.map(\.handle) == ["bob"])
      #expect(try await ada.markNotificationsSeen(upTo: page.mark).unseen == 0)
      // Switched off, nothing is told.
      let off = NotificationSettingsChange(items: [.init(kind: NotificationKind.follow, push: false)])
      _ = try await ada.change(off)
      _ = try await bob.follow(session.account.id)
      try await delivery.sendDue()
      #expect(service.pushes.count == 1)
      #expect(try await ada.unseenNotifications().unseen == 1)
      // Another's likes are another's.
      #expect(try await bob.notifications().items == [])
      try await ada.endSession()
      #expect(try await bench.count("push_devices") == 0)
    }
  }

  @Test func aBrowserThatIsGoneIsForgottenAndOneThatIsBusyIsToldLater() async throws {
    let service = try PushService(time: clock) { _, number in .init(status: number == 0 ? 503 : 201) }
    let sender = try await makeSender()
    let store = bench.instance.devices(web: sender, time: clock)
    let delivery = PushDelivery(store, by: PushServices([.web: sender]))
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords(), time: clock)
    let (ada, bob) = (try await accounts.join("ada"), try await accounts.join("bob"))
    let browser = service.subscribe(to: sender.key)
    _ = try await store.register(browser, by: ada)
    let news = bench.instance.news(live: bench.instance.live(bus: nil), web: sender, time: clock)
    let social = bench.instance.social(on: bench.instance.database, notices: SocialNews(live: news))
    _ = try await social.follow(ada.id, by: bob.id)
    try await delivery.sendDue()
    #expect(service.pushes.isEmpty)
    clock.advance(ms: 60_000)
    try await delivery.sendDue()
    #expect(service.pushes.count == 1)
    service.unsubscribe(browser)
    // What is told of in groups leaves a device in peace for a while.
    clock.advance(ms: 600_000)
    _ = try await social.like(bench.publishBare("sea", by: ada.id), by: bob.id)
    try await delivery.sendDue()
    #expect(try await bench.count("push_devices") == 0)
    #expect(try await bench.count("push_notices") == 0)
  }

  @Test func whatIsNoBrowserIsRefusedByItsField() async throws {
    let sender = try await makeSender()
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords(), time: clock)
    let good = try PushService().subscribe(to: sender.key)
    try await bench.instance.serving(accounts: accounts, time: clock, webPush: sender) {
      socket async throws in
      for (endpoint, auth, status, code) in [
        ("https://10.0.0.1/x", good.keys.auth, 422, "web_device_refused"),
        ("ftp://push.example.org/", good.keys.auth, 422, "web_device_refused"),
        ("https://push.example.org/x", "short", 400, "invalid_parameter"),
        ("https://push.example.org/ x", good.keys.auth, 400, "invalid_parameter"),
        ("", good.keys.auth, 400, "invalid_parameter"),
      ] {
        let new = NewWebDevice(
          endpoint: endpoint, keys: NewWebDevice.Keys(p256dh: good.keys.p256dh, auth: auth))
        let answer = try await socket.answer(
          "POST", Route.webDevices.path(), String(decoding: try WireCoding.encode(new), as: UTF8.self))
        #expect(answer.status == status && answer.code == code, "\(endpoint): \(answer.code ?? "")")
      }
    }
    try await bench.instance.serving(accounts: accounts, time: clock) { socket async throws in
      let answer = try await socket.answer(
        "POST", Route.webDevices.path(), String(decoding: try WireCoding.encode(good), as: UTF8.self))
      #expect(answer.code == "push_off")
      let devices = try await Client(transport: socket).devices()
      #expect(devices.webKey == nil && devices.topic == nil)
    }
  }
}
