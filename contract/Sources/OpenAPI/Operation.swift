public import Contract

/// One method of one address: what it takes and what it may answer.
///
/// The gateway holds requests against it (`Operation.of`), so what is said here is what happens.
public struct Operation: Sendable {
  /// A name for programs that make clients: `addComment`.
  public let id: String
  public let route: Route
  public let method: String
  public let tag: String
  public let summary: String
  public var about: String?
  public var parameters: [Parameter] = []
  public var bodies: [Body] = []
  public var needsBody = true
  public let answers: [Answer]
  /// Beside those that follow from what else is said here (`problems`).
  public var codes: [ErrorCode] = []
  public var access = Access.anybody
  public var limit = Limit.free

  /// Who may ask. What is whose (a session, a draft) is for the feature to say.
  public enum Access: Sendable, Equatable {
    /// Who asks plays no part, and a token that is over does no harm.
    case unasked
    /// Everybody; who is known sees more.
    case anybody
    /// Everybody, guests too, but whose account is suspended.
    case contributors
    /// Whoever is known, a guest or an account in whatever state.
    case viewers
    /// Whoever has an account, in whatever state.
    case accounts
    /// Whoever has an account that is not suspended.
    case members
    /// Those of them who are moderators or admins.
    case moderators
    /// A program with a key for that, of an account that is not suspended; nobody without one.
    case key(APIKeyScope)
  }

  /// Whose tokens a request takes: how often something may be done.
  public enum Limit: Sendable, Equatable {
    /// Nobody's. For what only reads.
    case free
    /// Of the account, and of all accounts of its address; of a guest's address alone, since anybody could be
    /// any number of them.
    case caller(RateClass)
    /// Of the address alone: whose it is is said by what comes in the body.
    case address(RateClass)
    /// Of whoever is known, guests too, and of all of them at an address.
    case viewer(RateClass)
    /// As `caller`, and of the upload itself.
    case upload(RateClass)
  }

  public struct Parameter: Sendable {
    public enum Place: String, Sendable { case path, query, header }

    public let name: String
    public let place: Place
    public var schema: Schema = .string
    public var note = Note()
    public var isRequired = false

    public static func query(
      _ name: String, _ schema: Schema = .string, _ note: Note = Note(), isRequired: Bool = false
    ) -> Self {
      .init(name: name, place: .query, schema: schema, note: note, isRequired: isRequired)
    }

    public static func header(
      _ name: String, _ schema: Schema = .string, _ note: Note = Note(), isRequired: Bool = false
    ) -> Self {
      .init(name: name, place: .header, schema: schema, note: note, isRequired: isRequired)
    }

    /// What is wrong with this text in its place, if anything is.
    public func violation(in text: String) -> Violation? {
      let value: JSON
      switch schema {
      case .integer:
        guard !text.hasPrefix("+"), let number = Int64(text) else {
          return schema.violation(in: .string(text), named: name, note)?.with(note.tooLittle)
        }
        value = .integer(number)
      case .number:
        // NB: Swift reads more spellings of numbers than JSON has.
        let isPlain = text.utf8.allSatisfy { "0123456789.eE+-".utf8.contains($0) }
        guard isPlain, text.utf8.first != UInt8(ascii: "+"), let number = Double(text), number.isFinite else {
          return schema.violation(in: .string(text), named: name, note)?.with(note.tooLittle)
        }
        value = .decimal(number)
      default: value = .string(text)
      }
      return schema.violation(in: value, named: name, note)?.with(note.tooLittle)
    }
  }

  /// What a body may be, by its media type.
  public struct Body: Sendable {
    public let mediaType: String
    /// Nil: bytes or text of that type, whatever they are.
    public let content: Content?

    public static func json<Value: Codable & Sendable>(
      _ type: Value.Type, as mediaType: String = "application/json"
    ) -> Self { .init(mediaType: mediaType, content: Content(type)) }

    /// Text of no type that is JSON all the same: what a page that is being closed can send to its own
    /// server.
    public static func plainJSON<Value: Codable & Sendable>(_ type: Value.Type) -> Self {
      .json(type, as: "text/plain")
    }

    public static func bytes(_ mediaTypes: String...) -> [Self] {
      mediaTypes.map { .init(mediaType: $0, content: nil) }
    }
  }

  /// A type of the contract and its schema.
  public struct Content: Sendable {
    public let type: any (Codable & Sendable).Type
    public let schema: Schema

    init<Value: Codable & Sendable>(_ type: Value.Type) {
      self.type = type
      schema = SchemaReader.read(type)
    }
  }

  public struct Answer: Sendable {
    public let status: Int
    public let meaning: String
    /// Nil: no body.
    public var content: Content?
    /// Of bytes that are no JSON.
    public var mediaType: String?
    /// Server-sent events, the data of which is the content.
    public var isStream = false
    public var headers: [Header] = []
    /// What the answer can be used for.
    public var links: [Link] = []

    static func json<Value: Codable & Sendable>(
      _ status: Int = 200, _ meaning: String, _ type: Value.Type, _ headers: [Header] = [], links: [Link] = []
    ) -> Self {
      .init(status: status, meaning: meaning, content: Content(type), headers: headers, links: links)
    }

    static func events<Value: Codable & Sendable>(_ meaning: String, _ type: Value.Type) -> Self {
      .init(status: 200, meaning: meaning, content: Content(type), isStream: true)
    }

    static func bytes(_ mediaType: String, _ meaning: String) -> Self {
      .init(status: 200, meaning: meaning, mediaType: mediaType)
    }

    static func empty(_ status: Int = 204, _ meaning: String, _ headers: [Header] = []) -> Self {
      .init(status: status, meaning: meaning, headers: headers)
    }
  }

  /// Another operation, one of whose parameters this answer gives.
  public struct Link: Sendable {
    let operation: String
    let parameter: String
    /// Where in the answer: a runtime expression of OpenAPI.
    let expression: String

    /// What can be done next with the id that lies there in the body (a JSON pointer, RFC 6901).
    static func byID(at pointer: String, _ operations: String...) -> [Link] {
      operations.map { Link(operation: $0, parameter: "id", expression: "$response.body#\(pointer)") }
    }

    /// What there is to see of the author that lies there in the body (a JSON pointer, RFC 6901).
    static func profile(at pointer: String) -> [Link] {
      [
        "getProfile", "headProfile", "getProfileClips", "headProfileClips", "getProfileLikes",
        "headProfileLikes", "getProfileFollowers", "headProfileFollowers", "getProfileFollowing",
        "headProfileFollowing",
      ].map { Link(operation: $0, parameter: "handle", expression: "$response.body#\(pointer)/handle") }
    }
  }

  public struct Header: Sendable {
    public let name: String
    public let about: String
    public var schema: Schema = .string
    public var isRequired = false

    init(_ name: String, _ about: String, _ schema: Schema = .string, isRequired: Bool = false) {
      self.name = name
      self.about = about
      self.schema = schema
      self.isRequired = isRequired
    }
  }

  /// The codes of every operation, as `writes` and `method` have it.
  static let commonCodes: [ErrorCode] = [
    .requestRefused, .accessTokenInvalid, .accessTokenExpired, .sessionEnded, .internalError, .unavailable,
  ]

  /// All codes that this operation may answer with, by status.
  public var problems: [(status: Int, codes: [ErrorCode])] {
    var all = Self.commonCodes + codes
    if !["GET", "HEAD", "OPTIONS"].contains(method) { all.append(.crossSiteRefused) }
    if bodies.contains(where: { $0.content != nil }) { all += [.bodyTooLarge, .contentTypeUnsupported] }
    if parameters.contains(where: { $0.place != .path }) { all.append(.invalidParameter) }
    if [.viewers, .accounts, .members, .moderators].contains(access) { all.append(.signInNeeded) }
    if [.contributors, .members, .moderators].contains(access) { all.append(.accountSuspended) }
    if access == .moderators { all.append(.notAllowed) }
    if case .key = access { all += [.apiKeyInvalid, .apiKeyNotAllowed, .accountSuspended] }
    if limit != .free { all.append(.tooManyRequests) }
    if parameters.contains(where: { $0.name == "cursor" }) { all.append(.invalidCursor) }
    if parameters.contains(where: { $0.name == "Idempotency-Key" }) { all.append(.invalidIdempotencyKey) }
    let known = ErrorCode.allCases.filter(Set(all).contains)
    return Set(known.map(\.status)).sorted().map { status in
      (status, known.filter { $0.status == status })
    }
  }

  // MARK: All of them

  public static let all: [Operation] =
    feed + search + comments + social + profiles + messages + watching + live + uploads + ownClips + captions
    + accounts + signIns + secondFactor + passkeys + devices + notifications + recommendations + moderation
    + exports + generation + webhooks + apiKeys

  /// Nil for what is neither of our API nor of the dialect.
  public static func of(_ route: Route, _ method: String) -> Operation? {
    table["\(method) \(route.template)"]
  }

  private static let table = Dictionary(
    uniqueKeysWithValues: (all + dialect).map { ("\($0.method) \($0.route.template)", $0) })

  /// Whether a text can be an id at all.
  public static func canBeID(_ text: String) -> Bool { Note.id.matches(text) }

  /// The schema of a body that some operation takes; nil for another type.
  public static func schema(ofBody type: any (Decodable).Type) -> Schema? { schemas[ObjectIdentifier(type)] }

  private static let schemas = Dictionary(
    all.flatMap(\.bodies).compactMap { body in
      body.content.map { (ObjectIdentifier($0.type), $0.schema) }
    }
  ) { first, _ in first }
}

extension Violation {
  fileprivate func with(_ code: ErrorCode) -> Violation {
    Violation(field: field, message: message, code: self.code == .requestRefused ? code : self.code)
  }
}

extension Operation {
  /// GET, and HEAD of the same.
  static func reading<Value: Codable & Sendable>(
    _ id: String, _ route: Route, _ tag: String, _ summary: String, _ type: Value.Type,
    parameters: [Parameter] = [], codes: [ErrorCode] = [], access: Access = .anybody,
    limit: Limit = .free, links: [Link] = []
  ) -> [Operation] {
    let upper = id.prefix(1).uppercased() + id.dropFirst()
    return [
      Operation(
        id: "get\(upper)", route: route, method: "GET", tag: tag, summary: summary, parameters: parameters,
        answers: [.json(200, "The answer.", type, links: links)], codes: codes, access: access, limit: limit),
      Operation(
        id: "head\(upper)", route: route, method: "HEAD", tag: tag,
        summary: "The headers of the same with GET.",
        parameters: parameters, answers: [.empty(200, "There is an answer.")], codes: codes, access: access,
        limit: limit),
    ]
  }
}

extension Operation.Parameter {
  static let page: [Self] = [
    .query(
      "cursor", .string,
      Note(
        "`next_cursor` of the page before; without it, or empty, the list starts.",
        spelling: Spelling("A-Za-z0-9_-", 0...512), tooLittle: .invalidCursor)),
    .query("limit", .integer, Note("Default: \(Limits.defaultPageSize).", range: Limits.pageSize)),
  ]

  /// The next page of the same list.
  static func next(of operation: String) -> [Operation.Link] {
    [.init(operation: operation, parameter: "cursor", expression: "$response.body#/next_cursor")]
  }

  static func idempotencyKey(_ about: String, isRequired: Bool = true) -> Self {
    .header(
      "Idempotency-Key", .string,
      Note(about, spelling: Spelling("!-~", Limits.idempotencyKeyLength), tooLittle: .invalidIdempotencyKey),
      isRequired: isRequired)
  }
}
