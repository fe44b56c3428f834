internal import ArgumentParser
internal import Foundation
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

/// Which storage. An option counts more than the environment, but for the keys: those are taken from the environment alone,
/// since every program on a machine can read the options of all others.
struct StorageOptions: ParsableArguments {
  @Option(
    help:
      "The S3 bucket that keeps the media; without it \(Self.variable("BUCKET")) counts, else they are files."
  )
  var s3Bucket: String?
  @Option(
    help: "The address of the S3 service; without it \(Self.variable("ENDPOINT")) counts, else Amazon's.")
  var s3Endpoint: String?
  @Option(help: "The bucket's region; without it \(Self.variable("REGION")) counts, else us-east-1.")
  var s3Region: String?
  @Option(
    help: ArgumentHelp(
      "Whether the bucket is named in the path or the host name; without it \(Self.variable("STYLE")) counts, else path, and virtual at Amazon's.",
      valueName: "path|virtual"))
  var s3Style: String?
  @Option(
    help:
      "What all names in the bucket start with; without it \(Self.variable("PREFIX")) counts, else nothing.")
  var s3Prefix: String?
  @Option(
    help: ArgumentHelp(
      "Whether viewers get media through the server or are sent to the bucket; without it \(Self.variable("DELIVERY")) counts, else proxy.",
      valueName: "proxy|redirect"))
  var s3Delivery: String?

  @Option(
    help: ArgumentHelp(
      "Whether uploads go through the server or straight to the bucket, which then has to let browsers in (docs/operate.md); without it \(Self.variable("UPLOADS")) counts, else proxy.",
      valueName: "proxy|direct"))
  var s3Uploads: String?

  var storage: Storage { (try? Storage(given, ProcessInfo.processInfo.environment)) ?? .folders }

  func validate() throws { _ = try Storage(given, ProcessInfo.processInfo.environment) }

  static func variable(_ name: String) -> String { "CLIPFEED_S3_\(name)" }

  private var given: [String: String] {
    let all = [
      "BUCKET": s3Bucket, "ENDPOINT": s3Endpoint, "REGION": s3Region, "STYLE": s3Style, "PREFIX": s3Prefix,
      "DELIVERY": s3Delivery, "UPLOADS": s3Uploads,
    ]
    return all.compactMapValues { $0 }
  }
}

extension Storage {
  /// What options (by the last word of their variable) and environment say together. Nothing is as good as not said.
  init(_ options: [String: String], _ environment: [String: String]) throws {
    func setting(_ name: String) -> String? {
      (options[name] ?? environment[StorageOptions.variable(name)]).flatMap { $0.isEmpty ? nil : $0 }
    }
    func choice<Value: RawRepresentable & CaseIterable>(_ name: String, _: Value.Type) throws -> Value?
    where Value.RawValue == String {
      guard let text = setting(name) else { return nil }
      guard let value = Value(rawValue: text) else {
        let all = Value.allCases.map(\.rawValue).joined(separator: " or ")
        throw ValidationError(
          "--s3-\(name.lowercased()) (or \(StorageOptions.variable(name))) must be \(all).")
      }
      return value
    }
    guard let name = setting("BUCKET") else {
      guard setting("ENDPOINT") == nil else {
        throw ValidationError(
          "An S3 endpoint needs a bucket: --s3-bucket (or \(StorageOptions.variable("BUCKET"))).")
      }
      guard try choice("UPLOADS", Sending.self) != .direct else {
        throw ValidationError(
          "Uploads can go straight to a bucket only: --s3-bucket (or \(StorageOptions.variable("BUCKET"))).")
      }
      self = .folders
      return
    }
    guard let accessKey = environment[StorageOptions.variable("ACCESS_KEY")],
      let secretKey = environment[StorageOptions.variable("SECRET_KEY")]
    else {
      throw ValidationError(
        "The bucket \(name) needs keys, from the environment alone: "
          + "\(StorageOptions.variable("ACCESS_KEY")) and \(StorageOptions.variable("SECRET_KEY")).")
    }
    do {
      let bucket = try S3Bucket(
        endpoint: setting("ENDPOINT"), name: name, region: setting("REGION") ?? "us-east-1",
        style: try choice("STYLE", S3Bucket.Style.self), prefix: setting("PREFIX") ?? "",
        accessKey: accessKey, secretKey: secretKey, sessionToken: setting("SESSION_TOKEN"))
      self = .bucket(
        bucket, try choice("DELIVERY", Delivery.self) ?? .proxy, try choice("UPLOADS", Sending.self) ?? .proxy
      )
    } catch let error as S3Bucket.Invalid {
      throw ValidationError(error.description)
    }
  }
}
