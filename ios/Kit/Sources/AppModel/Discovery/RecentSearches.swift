internal import Foundation
public import Observation
public import Persistence

/// What was looked for on this device, the last first. It is told to nobody, and goes singly or all at once.
@MainActor @Observable public final class RecentSearches {
  public static let most = 12

  public private(set) var texts: [String]
  @ObservationIgnored private let file: StoredFile<[String]>

  public init(file: StoredFile<[String]>) {
    self.file = file
    texts = Array((file.load() ?? []).prefix(Self.most))
  }

  func add(_ text: String) {
    let spelled = Self.spelled(text)
    keep([text] + texts.filter { Self.spelled($0) != spelled })
  }

  public func remove(_ text: String) { keep(texts.filter { Array($0.utf8) != Array(text.utf8) }) }

  public func removeAll() { keep([]) }

  private func keep(_ texts: [String]) {
    self.texts = Array(texts.prefix(Self.most))
    if texts.isEmpty { file.remove() } else { file.save(self.texts) }
  }

  /// NB: as bytes; comparing texts of people as strings can take very long.
  private static func spelled(_ text: String) -> [UInt8] { Array(text.lowercased().utf8) }
}
