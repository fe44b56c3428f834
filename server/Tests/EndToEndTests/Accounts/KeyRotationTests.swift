import Accounts
import Contract
import Foundation
import Testing

@testable import Composition
@testable import Platform
@testable import PlatformTesting
@testable import ServerTesting

/// New keys for what clients hand back: nobody loses anything by one, and what was made with the old one
/// ends.
@Suite(.everyEngine) struct KeyRotationTests {
  private static let dayMs: Int64 = 86_400_000
  private let bench: TestInstance
  private let clock = TestTime(ms: 1_800_000_000_000)

  init() async throws { bench = try await TestInstance() }

  /// As another process has it.
  private func ring(_ purpose: KeyRing.Purpose) -> KeyRing { bench.instance.keys(purpose, clock) }

  /// As a version wrote them that made tags of 64 bits.
  private func keepKeysOfTheTimeBefore(_ purposes: KeyRing.Purpose...) async throws {
    for purpose in purposes {
      _ = try await bench.instance.settings.value(purpose.rawValue, orCreate: TokenTag.makeSecret)
    }
  }

  private func guests() async throws -> GuestTokens {
    GuestTokens(keys: try await ring(.guests).tokenKeys())
  }

  @Test func aGuestGoesOnOverARotationWithATokenOfTheNewKey() async throws {
    let guests = try await guests()
    let (id, old) = guests.make(at: clock)
    try await ring(.guests).rotate()
    clock.advance(ms: KeyRing.silentMs)
    await guests.catchUp()
    #expect(guests.read(old) == id)
    let new = try #require(guests.renewed(old))
    #expect(guests.read(new) == id && guests.renewed(new) == nil)
    clock.advance(ms: 62 * Self.dayMs)
    await guests.catchUp()
    #expect(guests.read(old) == nil)
    #expect(guests.read(new) == id)
  }

  @Test func rotationsInARowLeaveTokensGood() async throws {
    let guests = try await guests()
    let (id, old) = guests.make(at: clock)
    for _ in 0..<5 {
      try await ring(.guests).rotate()
      clock.advance(ms: Self.dayMs)
    }
    await guests.catchUp()
    #expect(guests.read(old) == id)
  }

  /// After a leak of the database nobody may be taken for a guest for two months.
  @Test func endingTheOldKeysEndsWhatTheyMadeAtOnce() async throws {
    let guests = try await guests()
    let (_, old) = guests.make(at: clock)
    try await ring(.guests).rotate()
    try await ring(.guests).rotate(endingOld: true)
    clock.advance(ms: 30_000)
    await guests.catchUp()
    #expect(guests.read(old) == nil)
    let (id, new) = guests.make(at: clock)
    #expect(try await self.guests().read(new) == id)
  }

  @Test func aProcessThatHasNotHeardOfARotationReadsWhatOthersMake() async throws {
    let late = try await guests()
    try await ring(.guests).rotate()
    let early = try await guests()
    let (id, token) = early.make(at: clock)
    #expect(late.read(token) == id)
    clock.advance(ms: KeyRing.silentMs)
    await late.catchUp()
    let (next, made) = early.make(at: clock)
    #expect(late.read(made) == next)
  }

  @Test func aTagHas128BitsAndOneOf64CountsOnlyByAKeyOfThatTime() async throws {
    try await keepKeysOfTheTimeBefore(.guests)
    let guests = try await guests()
    let (id, token) = guests.make(at: clock)
    #expect(token.hasPrefix("g2.") && token.split(separator: ".").last?.count == 32)
    func short(_ secret: String) -> String {
      "g1.\(id)." + ContentHash.hex(TokenTag(secret: secret).of(Array("guest/1\n\(id)".utf8)))
    }
    let first = try #require(try await ring(.guests).keys().first)
    #expect(guests.read(short(first)) == id)
    #expect(guests.renewed(short(first)) == token)
    // A long tag that was cut is none.
    #expect(guests.read(String(token.dropLast(16))) == nil)
    #expect(guests.read("g1" + token.dropFirst(2).dropLast(16)) == nil)
    try await ring(.guests).rotate()
    clock.advance(ms: KeyRing.silentMs)
    await guests.catchUp()
    let second = try #require(try await ring(.guests).keys().first)
    #expect(guests.read(short(first)) == id)
    #expect(guests.read(short(second)) == nil)
    clock.advance(ms: 62 * Self.dayMs)
    await guests.catchUp()
    #expect(guests.read(short(first)) == nil)
  }

  @Test func aFreshInstanceTakesNoTagOf64BitsAtAll() async throws {
    let (guests, keys) = (try await guests(), try await ring(.devices).tokenKeys())
    let (id, token) = guests.make(at: clock)
    #expect(guests.read(token) == id)
    let guestKey = try #require(try await ring(.guests).keys().first)
    let tag = ContentHash.hex(TokenTag(secret: guestKey).of(Array("guest/1\n\(id)".utf8)))
    #expect(guests.read("g1.\(id).\(tag)") == nil)
    let body = "d1.\(Identifier.make(at: clock)).\(Identifier.make(at: clock))"
    let deviceTag = ContentHash.hex(TokenTag(secret: keys.making).of(Array("device/1\n\(body)".utf8)))
    #expect(DeviceTokens(keys: keys).read("\(body).\(deviceTag)").isEmpty)
    // Its first key goes on over a rotation like any other.
    try await ring(.guests).rotate()
    clock.advance(ms: KeyRing.silentMs)
    await guests.catchUp()
    #expect(guests.read(token) == id && guests.renewed(token) != nil)
    clock.advance(ms: 62 * Self.dayMs)
    await guests.catchUp()
    #expect(guests.read(token) == nil)
  }

  @Test func aSettingWithoutAKeyIsAnErrorAndEndsNoProcess() async throws {
    for purpose in KeyRing.Purpose.allCases {
      _ = try await bench.instance.settings.value(purpose.rawValue, orCreate: { " " })
      let error = await #expect(throws: AppError.self) { _ = try await ring(purpose).keys() }
      #expect(error?.code == .internalError)
      await #expect(throws: AppError.self) { _ = try await ring(purpose).tokenKeys() }
      // The operator's way out.
      try await ring(purpose).rotate()
      #expect(try await ring(purpose).keys().count == 1)
    }
  }

  @Test func aDeviceIsKnownOverARotationAndItsTagHas128Bits() async throws {
    try await keepKeysOfTheTimeBefore(.devices)
    let keys = try await ring(.devices).tokenKeys()
    let devices = DeviceTokens(keys: keys)
    let account = Identifier.make(at: clock)
    let old = devices.remember(account, in: "", at: clock)
    let device = try #require(devices.read(old).first)
    #expect(old.split(separator: ".").last?.count == 32)
    let body = "d1.\(account).\(device.id)"
    let first = try #require(try await ring(.devices).keys().first)
    let short = body + "." + ContentHash.hex(TokenTag(secret: first).of(Array("device/1\n\(body)".utf8)))
    #expect(devices.read(short) == [device])
    #expect(devices.remember(account, in: short, at: clock) == old)
    try await ring(.devices).rotate()
    clock.advance(ms: KeyRing.silentMs)
    await keys.catchUp()
    let new = devices.remember(account, in: old, at: clock)
    #expect(new != old && devices.read(new) == [device] && devices.read(old) == [device])
  }

  @Test func sessionsGoOnOverARotation() async throws {
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords(), time: clock)
    let first = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "phone")
    let lost = try await accounts.refresh(try #require(first.refreshToken), client: "phone")
    try await ring(.refreshTokens).rotate()
    clock.advance(ms: KeyRing.silentMs)
    // The answer that got lost is given again, though the key that made it is not the newest any more.
    let again = try await accounts.refresh(try #require(first.refreshToken), client: "phone")
    let parts = try [lost, again].map { try #require($0.refreshToken).split(separator: ".") }
    #expect(parts[0][4] == parts[1][4] && parts[0][5] != parts[1][5])
    #expect(parts[1][0] == "r2" && parts[1][5].count == 32)
    clock.advance(ms: 59 * Self.dayMs)
    let next = try await accounts.refresh(try #require(lost.refreshToken), client: "phone")
    #expect(next.id == first.id)
    try await ring(.refreshTokens).rotate(endingOld: true)
    clock.advance(ms: 30_000)
    let error = await #expect(throws: AppError.self) {
      try await accounts.refresh(try #require(next.refreshToken), client: "phone")
    }
    #expect(error?.code == .refreshTokenInvalid)
  }

  @Test func aSessionOfTheTimeBeforeGoesOn() async throws {
    try await keepKeysOfTheTimeBefore(.refreshTokens)
    let accounts = try await bench.instance.accounts(hashing: CountingPasswords(), time: clock)
    let session = try await accounts.signUp(NewAccount("mara"), guest: nil, client: "phone")
    let parts = try #require(session.refreshToken).split(separator: ".").map(String.init)
    let body = (["r1"] + parts[1..<5]).joined(separator: ".")
    let key = try #require(try await ring(.refreshTokens).keys().first)
    let old = body + "." + ContentHash.hex(TokenTag(secret: key).of(Array("refresh/1\n\(body)".utf8)))
    #expect(try await accounts.refresh(old, client: "phone").id == session.id)
  }

  @Test func aListGoesOnOverARotationForADay() async throws {
    let keys = try await ring(.cursors).tokenKeys()
    let (codec, other) = (CursorCodec(keys: keys, list: "a"), CursorCodec(keys: keys, list: "b"))
    let old = codec.token(number: 7)
    try await ring(.cursors).rotate()
    clock.advance(ms: KeyRing.silentMs)
    await keys.catchUp()
    #expect(try codec.place(of: old) == .number(7))
    #expect(codec.token(number: 7) != old)
    #expect(throws: AppError.self) { try other.place(of: old) }
    clock.advance(ms: Self.dayMs)
    await keys.catchUp()
    #expect(throws: AppError.self) { try codec.place(of: old) }
  }

  @Test func theCommandRotatesEveryKeyAndEndsTheOldOnesWhereItIsTold() async throws {
    for purpose in KeyRing.Purpose.allCases { _ = try await bench.instance.keys(purpose).keys() }
    #expect(try bench.program(["rotate-keys"]).end().status == 0)
    for purpose in KeyRing.Purpose.allCases {
      #expect(try await bench.instance.keys(purpose).keys().count == 2, "\(purpose)")
    }
    #expect(try bench.program(["rotate-keys", "--end-old"]).end().status == 0)
    for purpose in KeyRing.Purpose.allCases {
      #expect(try await bench.instance.keys(purpose).keys().count == 1, "\(purpose)")
    }
  }

  @Test func aBrowserIsHandedTheNewTokenByWhateverItAsks() async throws {
    let (id, old) = try await guests().make(at: clock)
    try await bench.serving(time: clock) { [bench, clock] socket async throws in
      let jar = ["cookie": "clipfeed_guest=\(old)"]
      let before = try await socket.answer("GET", "/api/v1/feed", nil, jar)
      #expect(before.response.headers["set-cookie"] == nil)
      try await bench.instance.keys(.guests, clock).rotate()
      clock.advance(ms: KeyRing.silentMs)
      let after = try await socket.answer("GET", "/api/v1/feed", nil, jar)
      let cookie = try #require(after.response.headers["set-cookie"])
      #expect(cookie.hasPrefix("clipfeed_guest=g2.\(id).") && !cookie.contains(old))
      #expect(cookie.contains("; Path=/; Max-Age=34560000; HttpOnly"))
    }
  }
}
