public import ArgumentParser
public import Composition
internal import Configured
internal import S3Blobs

/// Which storage.
public struct StorageOptions: ParsableArguments, Sendable {
  @Option(help: ArgumentHelp(.s3Bucket)) var s3Bucket: String?
  @Option(help: ArgumentHelp(.s3Endpoint)) var s3Endpoint: String?
  @Option(help: ArgumentHelp(.s3Region)) var s3Region: String?
  @Option(help: ArgumentHelp(.s3Style)) var s3Style: String?
  @Option(help: ArgumentHelp(.s3Prefix)) var s3Prefix: String?
  @Option(help: ArgumentHelp(.s3Delivery)) var s3Delivery: String?
  @Option(help: ArgumentHelp(.s3Uploads)) var s3Uploads: String?

  public var storage: Storage { (try? Storage(given, Configured.current)) ?? .folders }

  public init() {}

  public func validate() throws { _ = try Storage(given, Configured.current) }

  private var given: [Setting: String] {
    let all: [Setting: String?] = [
      .s3Bucket: s3Bucket, .s3Endpoint: s3Endpoint, .s3Region: s3Region, .s3Style: s3Style,
      .s3Prefix: s3Prefix, .s3Delivery: s3Delivery, .s3Uploads: s3Uploads,
    ]
    return all.compactMapValues { $0 }
  }
}

extension Storage {
  /// What options, environment and configuration file say together.
  init(_ options: [Setting: String], _ configured: Configured) throws {
    func lookUp(_ setting: Setting) throws -> String? {
      do {
        return try configured.find(setting, option: options[setting]).value
      } catch let error as Configured.WrongValue {
        throw ValidationError(error.description)
      }
    }
    guard let name = try lookUp(.s3Bucket) else {
      guard try lookUp(.s3Endpoint) == nil else {
        throw ValidationError("An S3 endpoint needs a bucket: \(Setting.s3Bucket.places).")
      }
      guard try lookUp(.s3Uploads) != Sending.direct.rawValue else {
        throw ValidationError("Uploads can go straight to a bucket only: \(Setting.s3Bucket.places).")
      }
      self = .folders
      return
    }
    guard let accessKey = try lookUp(.s3AccessKey), let secretKey = try lookUp(.s3SecretKey) else {
      throw ValidationError(
        "The bucket \(name) needs keys, from the environment or the configuration file: "
          + "\(Setting.s3AccessKey.variable) and \(Setting.s3SecretKey.variable).")
    }
    do {
      let bucket = try S3Bucket(
        endpoint: try lookUp(.s3Endpoint), name: name, region: try lookUp(.s3Region) ?? "us-east-1",
        style: try lookUp(.s3Style).flatMap(S3Bucket.Style.init), prefix: try lookUp(.s3Prefix) ?? "",
        accessKey: accessKey, secretKey: secretKey, sessionToken: try lookUp(.s3SessionToken))
      self = .bucket(
        bucket, try lookUp(.s3Delivery).flatMap(Delivery.init) ?? .proxy,
        try lookUp(.s3Uploads).flatMap(Sending.init) ?? .proxy)
    } catch let error as S3Bucket.Invalid {
      throw ValidationError(error.description)
    }
  }
}
