public import S3Blobs

/// Where blobs are kept.
public enum Storage: Sendable, Equatable {
  /// In the data folder.
  case folders
  case bucket(S3Bucket, Delivery, Sending = .proxy)

  /// How viewers get media out of a bucket.
  public enum Delivery: String, Sendable, CaseIterable {
    /// Through the server.
    case proxy
    /// From the bucket itself; the server sends them there.
    case redirect
  }

  /// How the bytes of uploads get into a bucket.
  public enum Sending: String, Sendable, CaseIterable {
    /// Through the server.
    case proxy
    /// From the client to the bucket, where the client knows how; the server looks at them there.
    case direct
  }

  public var sendsDirectly: Bool {
    if case .bucket(_, _, .direct) = self { true } else { false }
  }
}
