/// A small number that stands for something the host owns.
///
/// The core never sees a string: the host hands out handles and keeps the table.
public struct Handle<Owner>: Equatable, Sendable {
  public let rawValue: Int32

  @inlinable public init(_ rawValue: Int32) { self.rawValue = rawValue }

  @inlinable public static func == (left: Self, right: Self) -> Bool {
    left.rawValue == right.rawValue
  }
}

public enum ItemOwner {}
public enum PlayerOwner {}
public enum RequestOwner {}

/// A clip in the feed of this session, given by the host.
public typealias ItemID = Handle<ItemOwner>
/// A player of the host's pool: 0 ..< pool size, given by the core.
public typealias PlayerID = Handle<PlayerOwner>
/// A download, given by the core; never used twice in a session.
public typealias RequestID = Handle<RequestOwner>
