internal import Contract
internal import Foundation
public import Platform

extension FeedStore {
  /// A page of "For you". Without an order (none is there, it takes too long, the viewer wants none) it is a
  /// page of the latest clips. `language`: what the viewer reads, the first part of a tag of BCP 47 in lower
  /// case; nil: it is not known. Throws `invalid_cursor`.
  public func forYou(
    cursor: String?, limit: Int, for viewer: String?, language: String? = nil
  ) async throws -> EncodedFeedPage {
    guard let cursor = own(cursor, forYouCursors) else {
      let place = ForYouPlace(nowMs: time.nowMs)
      return viewer == nil
        ? try await front(place, limit, language) : try await page(at: place, limit, for: viewer, language)
    }
    var place = try ForYouPlace(cursor, forYouCursors)
    // An order is written down, and that is for those of whom something is known.
    if viewer == nil, place.rest == nil { place.rest = place.beginning }
    return try await page(at: place, limit, for: viewer, language)
  }

  /// Whether those who read this language have a first page of their own while nothing is known of them.
  public func hasFront(in language: String, _ limit: Int) -> Bool {
    Self.frontLengths.contains(limit) && ordering?.hasFront(in: language) ?? false
  }

  /// Lengths with which our clients, and whoever says none, begin. Of others nobody has a page by language
  /// made, as there would be many of them.
  private static let frontLengths: Set = [5, Limits.defaultPageSize]

  private func page(
    at start: ForYouPlace, _ limit: Int, for viewer: String?, _ language: String?
  ) async throws -> EncodedFeedPage {
    var place = start
    var items = place.rest == nil ? try await ordered(&place, limit, for: viewer, language) : []
    if items.count < limit, place.rest != nil { try await fill(&items, to: limit, &place, for: viewer) }
    return EncodedFeedPage(items: items, nextCursor: place.isOver ? nil : place.cursor(forYouCursors))
  }

  /// The page that everybody gets of whom nothing is known, one for each language that has one. Whoever goes
  /// on behind it begins a walk of their own.
  private func front(
    _ start: ForYouPlace, _ limit: Int, _ language: String?
  ) async throws -> EncodedFeedPage {
    let asked = KeptFronts.Asked(
      limit: limit, language: language.flatMap { hasFront(in: $0, limit) ? $0 : nil })
    if let kept = fronts.front(asked, nowMs: start.sinceMs) {
      let items = try await shown(kept.clips.map(\.id), limit, for: nil)
      // One of them may be gone since.
      if items.count == kept.clips.count {
        let reasons = Dictionary(
          kept.clips.map { ($0.id, $0.reason) }, uniquingKeysWith: { first, _ in first })
        return EncodedFeedPage(
          items: Self.items(items) { reasons[$0] ?? nil }, nextCursor: kept.place.frontCursor(forYouCursors))
      }
    }
    var place = start
    let items = try await ordered(&place, limit, for: nil, asked.language)
    guard place.rest == nil else {
      var all = items
      try await fill(&all, to: limit, &place, for: nil)
      return EncodedFeedPage(items: all, nextCursor: place.isOver ? nil : place.cursor(forYouCursors))
    }
    let front = KeptFronts.Front(place: place, clips: items.map { ($0.id, $0.reason) })
    fronts.keep(front, asked, nowMs: start.sinceMs)
    return EncodedFeedPage(items: items, nextCursor: place.frontCursor(forYouCursors))
  }

  /// Takes the order. Where it ends, `place.rest` says so.
  private func ordered(
    _ place: inout ForYouPlace, _ limit: Int, for viewer: String?, _ language: String?
  ) async throws -> [EncodedClip] {
    guard let ordering, try await mayOrder(for: viewer) else {
      place.rest = place.beginning
      return []
    }
    let again = try await handedOutAgain(&place, limit, for: viewer)
    guard again.isEmpty else { return again }
    // A few more than wanted, since some may turn out not to be shown.
    let found = await ordering.next(
      limit + Self.spare, of: place.walks, for: viewer, language: language)
    guard let next = found else {
      place.rest = place.beginning
      return []
    }
    let items = try await shown(next.map(\.id), limit, for: viewer)
    // NB: those before the last one that may not be shown are done with as well, or they would come again.
    let last = items.last?.id
    let end = items.count < limit ? next.endIndex : (next.lastIndex { $0.id == last } ?? -1) + 1
    let ids = Set(items.map(\.id))
    // Reading goes on where nothing can be written, such as on a full disk; the walk may repeat itself then.
    let isNoted: ()? = try? await ordering.note(
      next[..<end].map { ($0, ids.contains($0.id)) }, in: place.walk, behind: place.placed, for: viewer)
    if isNoted != nil { place.placed += end }
    if next.count < limit { place.rest = place.beginning }
    let reasons = Dictionary(next.map { ($0.id, $0.reason) }, uniquingKeysWith: { first, _ in first })
    return Self.items(items) { reasons[$0] }
  }

  /// What an answer held that got lost: the same cursor asks for it again.
  private func handedOutAgain(
    _ place: inout ForYouPlace, _ limit: Int, for viewer: String?
  ) async throws -> [EncodedClip] {
    guard let ordering else { return [] }
    let noted = try await ordering.noted(in: place.walk, behind: place.placed)
    guard !noted.isEmpty else { return [] }
    let reasons = Dictionary(noted.map { ($0.id, $0.reason) }, uniquingKeysWith: { first, _ in first })
    let items = try await shown(
      noted.compactMap { $0.reason == nil ? nil : $0.id }, limit, for: viewer)
    let last = items.last?.id
    place.placed += items.count < limit ? noted.count : (noted.lastIndex { $0.id == last } ?? -1) + 1
    return Self.items(items) { reasons[$0] ?? nil }
  }

  private static func items(
    _ items: [EncodedClip], _ reason: (String) -> ClipReason?
  ) -> [EncodedClip] {
    items.map { item in
      var item = item
      item.reason = reason(item.id)
      return item
    }
  }

  private static let spare = 6

  private func mayOrder(for viewer: String?) async throws -> Bool {
    guard let viewer else { return true }
    return try await ordering?.isPersonalised(viewer) ?? false
  }

  /// Those of them that the viewer may see and has not seen.
  private func shown(_ ids: [String], _ limit: Int, for viewer: String?) async throws -> [EncodedClip] {
    guard !ids.isEmpty else { return [] }
    return try await database.read { transaction in
      let seen = try viewer.map { try self.seen.seen(among: ids, by: $0, in: transaction) } ?? []
      let new = ids.filter { !seen.contains($0) }
      return try Array(self.allowed(new, for: viewer, in: transaction).prefix(limit))
    }
  }

  /// Walks through the latest clips, past what the walk has handed out and what the viewer wants no more of.
  private func fill(
    _ items: inout [EncodedClip], to limit: Int, _ place: inout ForYouPlace, for viewer: String?
  ) async throws {
    var known = Set(items.map(\.id))
    if let ordering { known.formUnion(try await ordering.shown(in: place.walks)) }
    for _ in 0..<Self.mostParts where items.count < limit {
      guard let rest = place.rest else { return }
      let part: Part<EncodedClip> = try await part(at: rest, limit - items.count, for: viewer)
      if let ordering, let viewer {
        known.formUnion(try await ordering.dismissed(among: part.items.map(\.id), by: viewer))
      }
      items += part.items.filter { known.insert($0.id).inserted }
      place.rest = part.next
      if part.next == nil {
        place.isOver = true
        return
      }
    }
  }

  /// Parts that are read for one page; one that is short then says where to go on.
  private static let mostParts = 8
}
