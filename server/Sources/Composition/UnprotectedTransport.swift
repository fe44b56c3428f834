internal import Foundation
internal import Logging
internal import Platform
public import Redis
internal import S3Blobs

/// What goes over a network that others may read, by the settings of this process. Nil: nothing does. It is
/// said once, at the start, and nothing is refused for it: an inner network may be the operator's alone,
/// which only they can know.
public struct UnprotectedTransport: Equatable, CustomStringConvertible {
  /// What it is, and what to do about it.
  public let description: String

  public static func listening(on host: String, origin: String?) -> Self? {
    // All addresses of this machine, as 0.0.0.0 is to whoever listens.
    let isEverywhere = NetworkAddress(host)?.bytes.allSatisfy { $0 == 0 } ?? false
    guard isEverywhere || !NetworkAddress.isLoopback(host: host), origin?.hasPrefix("https:") != true else {
      return nil
    }
    return Self(
      description:
        "\(host) can be reached from other machines, and no https address is said: passwords and cookies can be "
        + "read on their way. Put a proxy with TLS in front (deploy/nginx.conf), listen on 127.0.0.1, and say the "
        + "address by which people come: --origin https://…")
  }

  public static func cache(_ address: RedisAddress?) -> Self? {
    guard let address, !address.hasTLS, !NetworkAddress.isLoopback(host: address.host) else { return nil }
    return Self(
      description:
        "the Redis at \(address) is on another machine and spoken to without TLS: its password and what it "
        + "tells can be read and changed on their way. Say rediss:// (--cache), or keep that network to yourself."
    )
  }

  public static func storage(_ storage: Storage) -> Self? {
    guard case .bucket(let bucket, _, _) = storage, !bucket.hasTLS,
      !NetworkAddress.isLoopback(host: bucket.server)
    else { return nil }
    return Self(
      description:
        "the bucket at \(bucket.server) is on another machine and spoken to without TLS: videos that are not "
        + "public can be read on their way. Say https:// (--s3-endpoint), or keep that network to yourself.")
  }

  /// `address`: of a model server; nil: there is none.
  public static func modelServer(_ address: String?, host: String?) -> Self? {
    guard let address, let host, !address.hasPrefix("https:"), !NetworkAddress.isLoopback(host: host) else {
      return nil
    }
    return Self(
      description:
        "the model server at \(address) is on another machine and spoken to without TLS: its token and what is known "
        + "of people can be read on their way. Say https:// (--model-server), or keep that network to yourself."
    )
  }
}

extension UnprotectedTransport? {
  public func log() {
    guard let self else { return }
    Logger(label: "clipfeed.transport").warning("\(self.description)")
  }
}
