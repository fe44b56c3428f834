internal import Foundation

@testable internal import Accounts
@testable internal import Platform

private let cursors = CursorCodec(secret: "fuzz", list: "list")
private let guests = GuestTokens(secret: "fuzz")
private let devices = DeviceTokens(secret: "fuzz")
private let refreshes = RefreshTokens(keys: TokenKeys(secret: "fuzz"))

/// Tokens that people hand back, by those who read them; and those that we would have made of these words.
func readTokens(_ bytes: [UInt8]) {
  let given = text(bytes)
  _ = try? cursors.place(of: given)
  _ = guests.read(given)
  require(devices.read(given).count <= 4)
  let remembered = devices.remember("0191f0a0-0000-7000-8000-000000000000", in: given, at: SystemTime())
  require(devices.read(remembered).first?.account == "0191f0a0-0000-7000-8000-000000000000")
  _ = MediaSeal.read(given, clip: given, keys: ["fuzz"])
  _ = refreshes.read(given)
  _ = BlobName(given)
  _ = NetworkAddress(given)
  // Under our own tag: what a leaked secret or an older version may have signed.
  if (1...120).contains(given.utf8.count) {
    require((try? cursors.place(of: cursors.token(given))) == .words(given))
  }
  let number = bytes.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
  require((try? cursors.place(of: cursors.token(number: number))) == .number(number))
  let seal = MediaSeal.make(
    clip: given, reader: .holder, expires: number & Int64(SafeInteger.most), key: "fuzz")
  let read = MediaSeal.read(seal, clip: given, keys: ["other", "fuzz"])
  require(read?.reader == .holder && read?.expires == number & Int64(SafeInteger.most))
}
