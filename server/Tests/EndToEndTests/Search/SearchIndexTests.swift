import Accounts
import Contract
import Foundation
import Testing
import Videos

@testable import Composition
@testable import Platform
@testable import PlatformTesting
@testable import Search
@testable import ServerTesting

/// What is found by which words, and in which order: the contract of the index, on every database.
@Suite(.everyEngine) struct SearchIndexTests {
  private let bench: TestInstance
  private let search: SearchStore

  init() async throws {
    bench = try await TestInstance()
    search = try await bench.instance.search(.open)
  }

  private func found(_ text: String) async throws -> [String] {
    try await search.clips(text, cursor: nil, limit: 50, for: nil).clips.map(\.caption)
  }

  private static let tables = ["entries", "postings", "words", "forms", "tags", "sounds", "backlog"]

  private func rows() async throws -> Int64 {
    var rows: Int64 = 0
    for table in Self.tables { rows += try await bench.count("search_\(table)") }
    return rows
  }

  // MARK: Typos

  static let words = [
    "sunset", "mountain", "kitchen", "bicycle", "piano", "москва", "θάλασσα", "lighthouse", "surf",
    "skateboard",
  ]

  /// What a slip makes of a word: each kind at another place of each word.
  static func slips(_ word: String, at place: Int) -> [String: String] {
    let scalars = Array(word.unicodeScalars)
    let place = place % (scalars.count - 1)
    func text(_ change: (inout [Unicode.Scalar]) -> Void) -> String {
      var scalars = scalars
      change(&scalars)
      return scalars.map { String($0) }.joined()
    }
    return [
      "insertion": text { $0.insert("x", at: place) },
      "deletion": text { $0.remove(at: place) },
      "substitution": text { $0[place] = "q" },
      "transposition": text { $0.swapAt(place, place + 1) },
    ]
  }

  @Test func tenWordsAreFoundAfterASlipOfEachKind() async throws {
    for word in Self.words { try await bench.publishBare("the \(word) today") }
    for (place, word) in Self.words.enumerated() {
      for (kind, slip) in Self.slips(word, at: place) {
        #expect(try await found(slip) == ["the \(word) today"], "\(kind): \(slip)")
        #expect(try await found("today \(slip)") == ["the \(word) today"], "\(kind): \(slip)")
      }
    }
  }

  @Test func tenWordsAreFoundWithoutTheirAccents() async throws {
    let pairs = [
      ("café", "cafe"), ("naïve", "naive"), ("façade", "facade"), ("Zürich", "zurich"),
      ("smörgåsbord", "smorgasbord"),
      ("Łódź", "lodz"), ("señorita", "senorita"), ("Đà Nẵng", "da nang"), ("čokoláda", "cokolada"),
      ("Ёлка", "елка"),
    ]
    for (word, _) in pairs { try await bench.publishBare("so: \(word)") }
    for (word, plain) in pairs {
      #expect(try await found(plain) == ["so: \(word)"])
      #expect(try await found(word.uppercased()) == ["so: \(word)"])
    }
  }

  @Test(arguments: [
    ("日本の東京タワー", ["東京", "東", "タワー", "たわー"], ["大阪"]), ("제주도여행", ["여행", "제", "제주도"], ["부산"]),
    ("ดูพระอาทิตย์", ["พระ", "อาทิตย์"], ["จันทร์"]), ("غروبُ الشَّمس", ["غروب", "الشمس", "الش"], ["قمر"]),
    ("שְׁקִיעָה יפה", ["שקיעה", "שקי"], ["ירח"]), ("सूर्यास्त का दृश्य", ["सूर्यास्त", "दृश्य"], ["चाँद"]),
    ("Закат над рекой", ["закат", "РЕКОЙ", "зак"], ["луна"]),
    ("Ηλιοβασίλεμα", ["ηλιοβασιλεμα", "ΗΛΙΟ"], ["φεγγάρι"]),
    ("ＳＵＮＳＥＴ ｶﾒﾗ", ["sunset", "カメラ"], ["moon"]), ("夕日を見る人", ["夕", "夕日", "人"], ["朝日"]),
  ])
  func everyScriptIsFoundByItsWords(_ caption: String, _ words: [String], _ others: [String]) async throws {
    try await bench.publishBare(caption)
    for word in words { #expect(try await found(word) == [caption], "\(word)") }
    for word in others { #expect(try await found(word) == [], "\(word)") }
  }

  // MARK: Order

  @Test func wordsAsAskedComeBeforeBegunBeforeMisspelt() async throws {
    for caption in ["sunn hat", "sunny day", "sun hat"] { try await bench.publishBare(caption) }
    #expect(try await found("sunn") == ["sunn hat", "sunny day"])
    try await bench.publishBare("sunk ship")
    #expect(try await found("sunn") == ["sunn hat", "sunny day", "sunk ship"])
  }

  @Test func allWordsMustBeThereInWhateverOrder() async throws {
    for caption in ["red car fast", "red boat", "fast boat"] { try await bench.publishBare(caption) }
    #expect(try await found("fast red") == ["red car fast"])
    #expect(try await found("boat red") == ["red boat"])
    #expect(try await found("red plane") == [])
  }

  @Test func theBestKnownComeFirstThenTheNewest() async throws {
    var clips: [String] = []
    for number in 0..<4 { clips.append(try await bench.publishBare("dawn \(number)")) }
    let time = SystemTime()
    try await bench.instance.database.write { [clips] in
      try Counters.clips.add(
        [.init(clips[1], .views, by: 5000), .init(clips[2], .likes, by: 40)], at: time, in: $0)
    }
    try await bench.instance.foldCounts()
    #expect(try await SearchIndex().reorder(in: bench.instance.database) == 2)
    #expect(try await found("dawn") == ["dawn 1", "dawn 2", "dawn 3", "dawn 0"])
    #expect(try await SearchIndex().reorder(in: bench.instance.database) == 0)
  }

  /// Of one word, of two, and of two characters and a word.
  @Test(arguments: [("", ""), ("harbour ", "harbour "), ("東京 ", "東京 in ")])
  func pagesRepeatNothingAndMissNothing(asked: String, before: String) async throws {
    let captions =
      (0..<7).map { "\(before)dawn \($0)" } + (0..<5).map { "\(before)dawning \($0)" }
      + (0..<4).map { "\(before)dwan \($0)" }
    for caption in captions { try await bench.publishBare(caption) }
    // Neither has more than one of the words.
    if !asked.isEmpty { for one in ["dawn", "dwan", before] { try await bench.publishBare(one) } }
    for limit in [1, 2, 3, 16, 50] {
      var shown: [String] = []
      var cursor: String?
      repeat {
        let page = try await search.clips("\(asked)dawn", cursor: cursor, limit: limit, for: nil)
        #expect(page.items.count <= limit)
        shown += try page.clips.map(\.caption)
        cursor = page.nextCursor
      } while cursor != nil
      #expect(shown.count == captions.count && Set(shown) == Set(captions), "\(limit)")
      #expect(shown.prefix(7).allSatisfy { $0.hasPrefix("\(before)dawn ") })
      #expect(shown.suffix(4).allSatisfy { $0.hasPrefix("\(before)dwan ") })
    }
  }

  @Test func aWordThatManyHaveIsMeantAsItWasAsked() async throws {
    try await bench.publishBare("dwan")
    let instance = bench.instance
    func add(_ numbers: Range<Int64>) async throws {
      try await instance.database.write { transaction in
        for number in numbers {
          try SearchIndex().set(
            .init(level: 0, terms: [.init(term: "dawn", spelling: "dawn")], tags: []), .clip, "\(number)",
            in: transaction)
        }
      }
    }
    try await add(1..<SearchPlan.common)
    #expect(try await found("dawn") == ["dwan"])
    try await add(SearchPlan.common..<SearchPlan.common + 1)
    #expect(try await found("dawn") == [])
    // What it may have been itself is looked for all the same.
    #expect(try await found("dwam") == ["dwan"])
  }

  @Test func aCursorIsThatOfItsQuestionAlone() async throws {
    for number in 0..<3 { try await bench.publishBare("dawn \(number)") }
    let cursor = try await search.clips("Dawn", cursor: nil, limit: 1, for: nil).nextCursor
    #expect(try await search.clips("dawn!", cursor: cursor, limit: 5, for: nil).items.count == 2)
    for wrong in [
      { try await search.clips("dusk", cursor: cursor, limit: 1, for: nil).items.count },
      { try await search.tags("dawn", cursor: cursor, limit: 1).items.count },
      { try await search.clips("dawn", cursor: "x", limit: 1, for: nil).items.count },
    ] {
      await #expect(throws: AppError(.invalidCursor)) { try await wrong() }
    }
  }

  /// Two common words that never stand together are not looked for to the end by one request.
  @Test func aQuestionThatFindsLittleLooksAtSoMuchAndNoMore() async throws {
    let instance = bench.instance
    try await instance.database.write { transaction in
      let index = SearchIndex()
      for number in 0..<(SearchWalk.looked + 400) {
        let words = ["left", "right"].map { SearchText.Found(term: $0, spelling: $0) }
        for (side, word) in words.enumerated() {
          try index.set(.init(level: 0, terms: [word], tags: []), .clip, "\(side)-\(number)", in: transaction)
        }
      }
    }
    try await bench.publishBare("left right")
    var (pages, items) = (0, 0)
    var cursor: String?
    repeat {
      let page = try await search.clips("left right", cursor: cursor, limit: 5, for: nil)
      (pages, items, cursor) = (pages + 1, items + page.items.count, page.nextCursor)
    } while cursor != nil
    #expect(pages > 1 && pages < 5 && items == 1)
  }

  // MARK: What the index keeps

  @Test func onlyWhatEverybodySeesIsFound() async throws {
    let clips = bench.instance.clips
    let id = try await bench.publishBare("one harbour #pier")
    try await bench.instance.publishBare("two harbour", visibility: .unlisted)
    try await bench.instance.publishBare("three harbour", visibility: .private)
    #expect(try await found("harbour") == ["one harbour #pier"])
    for visibility in [Visibility.unlisted, .private] {
      try await clips.setVisibility(of: id, to: visibility)
      #expect(try await found("harbour") == [])
      #expect(try await search.tags("pier", cursor: nil, limit: 5).items == [])
      #expect(try await search.suggestions("harb", for: nil).items == [])
      try await clips.setVisibility(of: id, to: .public)
      #expect(try await found("pier") == ["one harbour #pier"])
    }
    try await bench.instance.database.write {
      try clips.describe(id, caption: "one quay", tags: ["dock"], visibility: nil, in: $0)
    }
    #expect(try await found("harbour") == [])
    for word in ["quay", "dock"] { #expect(try await found(word) == ["one quay"]) }
    try await bench.instance.database.write { try clips.remove(id, in: $0) }
    #expect(try await found("quay") == [])
    try await bench.instance.database.write { try clips.restore(id, in: $0) }
    #expect(try await found("quay") == ["one quay"])
    try await bench.instance.database.write { try clips.delete(id, in: $0) }
    #expect(try await found("quay") == [])
    // The author of the imports is left.
    #expect(try await bench.count("search_entries") == 1)
    #expect(try await bench.count("search_tags") == 0)
    for table in ["search_postings", "search_words"] {
      #expect(try await bench.count(table) == 1, "\(table)")
    }
  }

  @Test func whatIsRolledBackLeavesNothing() async throws {
    struct Undone: Error {}
    let clips = bench.instance.clips
    let id = try await bench.publishBare("one harbour")
    let before = try await rows()
    for work in [
      { try clips.describe(id, caption: "a quay #dock", tags: nil, visibility: nil, in: $0) },
      { try clips.remove(id, in: $0) }, { try clips.delete(id, in: $0) },
    ] as [@Sendable (any Transaction) throws -> Void] {
      await #expect(throws: Undone.self) {
        try await bench.instance.database.write {
          try work($0)
          throw Undone()
        }
      }
      #expect(try await found("harbour") == ["one harbour"])
      #expect(try await found("quay") == [])
      #expect(try await rows() == before)
    }
  }

  @Test func whatWasThereBeforeIsTakenUp() async throws {
    var clips: [String] = []
    for number in 0..<45 { clips.append(try await bench.publishBare("harbour \(number) #pier")) }
    try await bench.setSound("tide", of: clips)
    let before = try await rows()
    let backlog = SearchIndex.migrations[0].statements(for: OnEveryDatabase.current).filter {
      $0.hasPrefix("INSERT")
    }
    try await bench.instance.database.write { transaction in
      for table in Self.tables { try transaction.execute("DELETE FROM search_\(table)") }
      for statement in backlog { try transaction.execute(statement) }
    }
    #expect(try await found("harbour").isEmpty)
    #expect(try await SearchIndex().catchUp(in: bench.instance.database) == 46)
    #expect(try await found("harbour").count == 45)
    #expect(try await search.sounds("harbour", cursor: nil, limit: 5, for: nil).items.map(\.clips) == [45])
    #expect(try await rows() == before)
    #expect(try await SearchIndex().catchUp(in: bench.instance.database) == 0)
  }

  @Test func aClipIsFoundByEachTwoOfItsWordsAfterAnEdit() async throws {
    let clips = bench.instance.clips
    // Keeps words in use that the other loses.
    try await bench.publishBare("some harbour at noon")
    let id = try await bench.publishBare("one harbour at dawn")
    for caption in ["one quay at dawn", "two quays at dawn", "one harbour by night"] {
      try await bench.instance.database.write {
        try clips.describe(id, caption: caption, tags: nil, visibility: nil, in: $0)
      }
      let words = caption.split(separator: " ")
      for first in words {
        for second in words { #expect(try await found("\(first) \(second)").contains(caption)) }
      }
      #expect(try await !found("\(words[0]) at harbour").contains(caption))
    }
  }

  @Test func whatHasNoSignatureYetIsFoundAndGetsOne() async throws {
    for caption in ["red harbour", "blue harbour #pier"] { try await bench.publishBare(caption) }
    let tables = ["entries", "postings"].map { "search_\($0)" }
    func unsigned(_ table: String) async throws -> Int64 {
      try await bench.count("\(table) WHERE signature IS NULL")
    }
    for table in tables { #expect(try await unsigned(table) == 0) }
    // It is looked at, and only where there is another word to be had.
    try await bench.instance.database.write { try $0.execute("UPDATE search_postings SET signature = 0") }
    #expect(try await found("red harbour") == [])
    #expect(try await found("red") == ["red harbour"])
    try await bench.instance.database.write { transaction in
      for table in tables { try transaction.execute("UPDATE \(table) SET signature = NULL") }
    }
    func areFound() async throws {
      #expect(try await found("red harbour") == ["red harbour"])
      #expect(try await found("harbour pier") == ["blue harbour #pier"])
      #expect(try await found("red pier") == [])
    }
    try await areFound()
    let before = try await rows()
    // Two clips and who published them.
    #expect(try await SearchIndex().reorder(in: bench.instance.database) == 3)
    #expect(try await rows() == before)
    try await areFound()
    for table in tables { #expect(try await unsigned("\(table)") == 1, "the tag") }
  }

  /// Two processes of different versions on one database, if only for a moment.
  @Test func whatAVersionWithoutSignaturesEditedIsSignedWithinTheHour() async throws {
    let id = try await bench.publishBare("red harbour")
    for caption in ["blue harbour dusk", "grey dusk"] { try await bench.publishBare(caption) }
    try await bench.instance.database.write { transaction in
      for (change, values) in [
        ("UPDATE search_entries SET terms = 'red dusk' WHERE id = ?", [id]),
        ("DELETE FROM search_postings WHERE id = ? AND term = 'harbour'", [id]),
        ("INSERT INTO search_postings (kind, term, level, id) VALUES ('clip', 'dusk', 0, ?)", [id]),
        ("UPDATE clips SET caption = 'red dusk' WHERE id = ?", [id]),
      ] { try transaction.execute(change, values.map(SQLValue.text)) }
    }
    #expect(try await found("red dusk") == [])
    #expect(try await SearchIndex().reorder(in: bench.instance.database) == 1)
    #expect(try await found("red dusk") == ["red dusk"])
    #expect(try await SearchIndex().reorder(in: bench.instance.database) == 0)
  }

  @Test func manyWhoPublishAtOnceAreAllFound() async throws {
    let instance = bench.instance
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<24 {
        group.addTask { try await instance.publishBare("harbour pier dawn tide \(number) #x\(number % 3)") }
      }
      try await group.waitForAll()
    }
    #expect(try await found("harbour").count == 24)
    #expect(try await search.tags("x1", cursor: nil, limit: 5).items.first?.clips == 8)
    let words = try await instance.database.read {
      try SearchIndex().uses(of: ["harbour", "pier", "dawn", "tide"], .clip, in: $0)
    }
    #expect(Set(words.values) == [24])
  }
}
