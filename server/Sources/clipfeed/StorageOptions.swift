internal import ArgumentParser
internal import Configured
internal import S3Blobs

/// Where blobs are kept.
enum Storage: Sendable, Equatable {
  /// In the data folder.
  case folders
  case bucket(S3Bucket, Delivery, Sending = .proxy)

  /// How viewers get media out of a bucket.
  enum Delivery: String, Sendable, CaseIterable {
    /// Through the server.
    case proxy
    /// From the bucket itself; the server sends them there.
    case redirect
  }

  /// How the bytes of uploads get into a bucket.
  enum Sending: String, Sendable, CaseIterable {
    /// Through the server.
    case proxy
    /// From the client to the bucket, where the client knows how; the server looks at them there.
    case direct
  }

  var sendsDirectly: Bool {
    if case .bucket(_, _, .direct) = self { true } else { false }
  }
}

/// Which storage.
struct StorageOptions: ParsableArguments {
  @Option(help: ArgumentHelp(.s3Bucket)) var s3Bucket: String?
  @Option(help: ArgumentHelp(.s3Endpoint)) var s3Endpoint: String?
  @Option(help: ArgumentHelp(.s3Region)) var s3Region: String?
  @Option(help: ArgumentHelp(.s3Style)) var s3Style: String?
  @Option(help: ArgumentHelp(.s3Prefix)) var s3Prefix: String?
  @Option(help: ArgumentHelp(.s3Delivery)) var s3Delivery: String?
  @Option(help: ArgumentHelp(.s3Uploads)) var s3Uploads: String?

  var storage: Storage { (try? Storage(given, Configured.current)) ?? .folders }

  func validate() throws { _ = try Storage(given, Configured.current) }

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
    func said(_ setting: Setting) throws -> String? {
      do {
        return try configured.find(setting, option: options[setting]).value
      } catch let error as Configured.WrongValue {
        throw ValidationError(error.description)
      }
    }
    guard let name = try said(.s3Bucket) else {
      guard try said(.s3Endpoint) == nil else {
        throw ValidationError("An S3 endpoint needs a bucket: \(Setting.s3Bucket.places).")
      }
      guard try said(.s3Uploads) != Sending.direct.rawValue else {
        throw ValidationError("Uploads can go straight to a bucket only: \(Setting.s3Bucket.places).")
      }
      self = .folders
      return
    }
    guard let accessKey = try said(.s3AccessKey), let secretKey = try said(.s3SecretKey) else {
      throw ValidationError(
        "The bucket \(name) needs keys, from the environment or the configuration file: "
          + "\(Setting.s3AccessKey.variable) and \(Setting.s3SecretKey.variable).")
    }
    do {
      let bucket = try S3Bucket(
        endpoint: try said(.s3Endpoint), name: name, region: try said(.s3Region) ?? "us-east-1",
        style: try said(.s3Style).flatMap(S3Bucket.Style.init), prefix: try said(.s3Prefix) ?? "",
        accessKey: accessKey, secretKey: secretKey, sessionToken: try said(.s3SessionToken))
      self = .bucket(
        bucket, try said(.s3Delivery).flatMap(Delivery.init) ?? .proxy,
        try said(.s3Uploads).flatMap(Sending.init) ?? .proxy)
    } catch let error as S3Bucket.Invalid {
      throw ValidationError(error.description)
    }
  }
}
