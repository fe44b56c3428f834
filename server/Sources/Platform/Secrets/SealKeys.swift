/// Makes and reads seals with the keys of the instance.
public final class SealKeys: Sendable {
  private let ring: KeyRing

  public init(database: any Database, time: any TimeSource) {
    ring = KeyRing(.media, database: database, time: time)
  }

  public func make(clip: String, reader: MediaSeal.Reader, expires: Int64) async throws -> String {
    MediaSeal.make(clip: clip, reader: reader, expires: expires, key: try await ring.keys()[0])
  }

  /// As `MediaSeal.read`, also for a key that another process made a moment ago.
  public func read(_ seal: String, clip: String) async throws -> (reader: MediaSeal.Reader, expires: Int64)? {
    if let read = MediaSeal.read(seal, clip: clip, keys: try await ring.keys()) { return read }
    return MediaSeal.read(seal, clip: clip, keys: try await ring.keys(.inDoubt))
  }

  /// Makes a new key. Seals of the one before stay good; those of any older one do not.
  public func rotate() async throws { try await ring.rotate() }
}
