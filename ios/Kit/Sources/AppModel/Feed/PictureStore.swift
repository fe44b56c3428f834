internal import Contract
public import Foundation
internal import MediaStore

/// Posters and storyboards: some in memory, the posters of the last visit on disk, the rest from the server,
/// two at a time.
///
/// It refuses to know which are worth their bytes, what a picture shows and how it is decoded.
@MainActor public final class PictureStore {
  /// Bytes in memory.
  static let budget = 8 * 1_024 * 1_024
  /// A larger picture is none of ours.
  static let largest = 2 * 1_024 * 1_024
  static let atOnce = 2
  /// Files on disk: the feed of the last visit, twice.
  nonisolated static let kept = 16

  private let fetch: @Sendable (String) async throws -> Data
  private let folder: URL?
  private var pictures: [String: Data] = [:]
  /// Last used at the end.
  private var order: [String] = []
  private var running: [String: Task<Void, Never>] = [:]
  private var wanted: [(url: String, isKept: Bool, done: @MainActor (Data) -> Void)] = []
  private var failed: Set<String> = []

  /// `folder`: `nil`, and none outlives the app.
  public init(folder: URL?, fetch: @escaping @Sendable (String) async throws -> Data) {
    self.folder = folder
    self.fetch = fetch
  }

  /// What is here, without the network.
  public func picture(_ url: String) -> Data? {
    if let data = pictures[url] {
      use(url)
      return data
    }
    guard let file = file(url), let data = SealedFile.read(file.path) else { return nil }
    keep(data, as: url)
    return data
  }

  /// Calls `done` once, with the picture, when it has come; not at all if it does not. `isKept`: the next
  /// visit may begin with it.
  public func picture(_ url: String, isKept: Bool, _ done: @escaping @MainActor (Data) -> Void) {
    guard !url.isEmpty, !failed.contains(url) else { return }
    if let data = picture(url) { return done(data) }
    wanted.append((url, isKept, done))
    fetchNext()
  }

  /// Nobody wants it any more: it is not asked for, unless it is on its way.
  public func giveUp(_ url: String) {
    if running[url] == nil { wanted.removeAll { $0.url == url } }
  }

  /// Nobody wants any of them but these.
  public func want(only urls: Set<String>) {
    wanted.removeAll { !urls.contains($0.url) }
    for (url, task) in running where !urls.contains(url) { task.cancel() }
  }

  /// The system is short of memory.
  public func drop() {
    pictures = [:]
    order = []
  }

  public func settled() async {
    while let task = running.values.first { await task.value }
  }

  private func fetchNext() {
    // The one that was wanted last is the one on the screen.
    while running.count < Self.atOnce, let next = wanted.last(where: { running[$0.url] == nil }) {
      let url = next.url
      running[url] = Task {
        let data = try? await fetch(url)
        running[url] = nil
        arrived(data, url, isCancelled: Task.isCancelled)
        fetchNext()
      }
    }
  }

  private func arrived(_ data: Data?, _ url: String, isCancelled: Bool) {
    let waiting = wanted.filter { $0.url == url }
    guard let data, !data.isEmpty, data.count <= Self.largest else {
      wanted.removeAll { $0.url == url }
      // Asked for again when its page wants it again, unless it is no picture at all.
      if data != nil, !isCancelled { failed.insert(url) }
      return
    }
    wanted.removeAll { $0.url == url }
    keep(data, as: url)
    if waiting.contains(where: \.isKept) { write(data, url) }
    for one in waiting { one.done(data) }
  }

  private func keep(_ data: Data, as url: String) {
    pictures[url] = data
    use(url)
    while pictures.values.reduce(0, { $0 + $1.count }) > Self.budget, let oldest = order.first {
      pictures[oldest] = nil
      order.removeFirst()
    }
  }

  private func use(_ url: String) {
    order.removeAll { $0 == url }
    order.append(url)
  }

  private func file(_ url: String) -> URL? {
    guard let folder else { return nil }
    // The address names the content; its last part is a file's name on any disk.
    let name = url.split(separator: "/").last.map { String($0) } ?? ""
    let isPlain =
      name.utf8.count <= 100
      && name.utf8.allSatisfy {
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 46 || $0 == 45
          || $0 == 95
      }
    return isPlain && name.contains { $0 != "." } ? folder.appending(path: name) : nil
  }

  private func write(_ data: Data, _ url: String) {
    guard let folder, let file = file(url) else { return }
    Task.detached(priority: .utility) {
      try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try? SealedFile.write(data, to: file.path, scratch: folder.path)
      Self.trim(folder)
    }
  }

  /// The newest stay.
  private nonisolated static func trim(_ folder: URL) {
    let key = URLResourceKey.contentModificationDateKey
    let files =
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [key])) ?? []
    guard files.count > kept else { return }
    let dated = files.map { file in
      (file, (try? file.resourceValues(forKeys: [key]))?.contentModificationDate ?? .distantPast)
    }
    for (file, _) in dated.sorted(by: { $0.1 > $1.1 }).dropFirst(kept) {
      try? FileManager.default.removeItem(at: file)
    }
  }
}
