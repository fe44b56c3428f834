public import ArgumentParser
internal import Configured
public import Uploads

/// Who may upload how much.
public struct UploadOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp(.guestUploads)) var guestUploads: String?
  @Option(help: ArgumentHelp(.uploadMbPerDay)) var uploadMbPerDay: String?
  @Option(help: ArgumentHelp(.uploadMbOpen)) var uploadMbOpen: String?

  public init() {}

  public mutating func validate() throws {
    guestUploads = try settled(.guestUploads, guestUploads)
    uploadMbPerDay = try settled(.uploadMbPerDay, uploadMbPerDay)
    uploadMbOpen = try settled(.uploadMbOpen, uploadMbOpen)
  }

  public var rules: UploadRules {
    var rules = UploadRules()
    rules.isOn = guestUploads != "off"
    if let megabytes = uploadMbPerDay.flatMap({ Int($0) }) { rules.bytesPerAccountPerDay = megabytes << 20 }
    if let megabytes = uploadMbOpen.flatMap({ Int($0) }) { rules.openBytes = megabytes << 20 }
    return rules
  }
}
