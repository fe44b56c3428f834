internal import ArgumentParser
internal import Contract
internal import Foundation
internal import Uploads

/// Who may upload how much. An option counts more than the environment.
struct UploadOptions: ParsableArguments {
  static let guestsVariable = "CLIPFEED_GUEST_UPLOADS"
  static let dailyVariable = "CLIPFEED_UPLOAD_MB_PER_DAY"
  static let openVariable = "CLIPFEED_UPLOAD_MB_OPEN"

  @Option(
    help: ArgumentHelp(
      "Whether guests may upload; without it \(guestsVariable) counts, else on.", valueName: "on|off"))
  var guestUploads: String?
  @Option(
    help: "Megabytes that one address may upload in a day; without it \(dailyVariable) counts, else 2048.")
  var uploadMbPerDay: Int?
  @Option(
    help: "Megabytes of all uploads that are on their way; without it \(openVariable) counts, else 20480.")
  var uploadMbOpen: Int?

  mutating func validate() throws {
    let environment = ProcessInfo.processInfo.environment
    guestUploads = guestUploads ?? environment[Self.guestsVariable]
    guard guestUploads.map({ ["on", "off"].contains($0) }) != false else {
      throw ValidationError("--guest-uploads (or \(Self.guestsVariable)) must be on or off.")
    }
    uploadMbPerDay = try uploadMbPerDay ?? Self.number(environment[Self.dailyVariable], Self.dailyVariable)
    uploadMbOpen = try uploadMbOpen ?? Self.number(environment[Self.openVariable], Self.openVariable)
    for megabytes in [uploadMbPerDay, uploadMbOpen].compactMap({ $0 })
    where !(1...1_000_000_000).contains(megabytes) {
      throw ValidationError("Megabytes of uploads must be a number from 1 on.")
    }
  }

  var rules: UploadRules {
    var rules = UploadRules()
    rules.isOn = guestUploads != "off"
    if let uploadMbPerDay { rules.bytesPerAccountPerDay = uploadMbPerDay << 20 }
    if let uploadMbOpen { rules.openBytes = uploadMbOpen << 20 }
    return rules
  }

  private static func number(_ text: String?, _ variable: String) throws -> Int? {
    guard let text else { return nil }
    guard let number = Int(text) else { throw ValidationError("\(variable) must be a number of megabytes.") }
    return number
  }
}
