internal import Contract
internal import Platform

/// What a row of the list is about, and what is told as one with it.
struct Entry {
  let kind: String
  /// The same again is the same row.
  let about: String
  var clipID: String?
  var commentID: String?
  /// More of it joins, and moves it up.
  let isGroup: Bool
  /// Only somebody with a name is told of.
  let needsName: Bool

  init(_ news: NotificationStore.News, at ms: Int64) {
    switch news {
    case .liked(let clip):
      self.init(NotificationKind.like, clip, clip: clip, isGroup: true, needsName: true)
    case .likedComment(let comment, let clip):
      self.init(
        NotificationKind.commentLike, comment, clip: clip, comment: comment, isGroup: true, needsName: true)
    case .commented(let comment, let clip, let kind):
      self.init(
        kind, comment, clip: clip, comment: comment, isGroup: false,
        needsName: kind == NotificationKind.comment)
    case .followed:
      self.init(
        NotificationKind.follow, "\(ms / NotificationStore.dayMs)", clip: nil, isGroup: true, needsName: true)
    case .published(let clip):
      self.init(NotificationKind.published, clip, clip: clip, isGroup: false, needsName: false)
    case .failed(let clip):
      self.init(NotificationKind.failed, clip, clip: clip, isGroup: false, needsName: false)
    case .decided(let decision, let clip, let isAnswer):
      self.init(
        NotificationKind.decision, isAnswer ? "\(decision)/answer" : decision, clip: clip, isGroup: false,
        needsName: false)
    case .generated(let generation, let clip):
      self.init(
        clip == nil ? NotificationKind.generationFailed : NotificationKind.generated, generation, clip: clip,
        isGroup: false, needsName: false)
    // Once more is the same row, which moves up.
    case .switchedOff(let webhook):
      self.init(NotificationKind.webhookOff, webhook, clip: nil, isGroup: true, needsName: false)
    case .newClip(let clip, let group):
      self.init(NotificationKind.newClip, group, clip: clip, isGroup: true, needsName: false)
    }
  }

  private init(
    _ kind: String, _ subject: String, clip: String?, comment: String? = nil, isGroup: Bool, needsName: Bool
  ) {
    self.kind = kind
    about = "\(kind)/\(subject)"
    clipID = clip
    commentID = comment
    self.isGroup = isGroup
    self.needsName = needsName
  }

  /// The decision that a row is about, and whether it is the answer to it.
  static func decision(of about: String) -> (id: String, isAnswer: Bool)? {
    let parts = about.split(atByte: UInt8(ascii: "/")).map(String.init)
    guard parts.count == 2 || parts.count == 3 && parts[2] == "answer" else { return nil }
    return (parts[1], parts.count == 3)
  }

  /// What a row of something made from words is about.
  static func generation(of about: String) -> String? {
    let parts = about.split(atByte: UInt8(ascii: "/")).map(String.init)
    let kinds = [NotificationKind.generated, NotificationKind.generationFailed]
    return parts.count == 2 && kinds.contains(parts[0]) ? parts[1] : nil
  }

  /// The webhook that a row is about.
  static func webhook(of about: String) -> String? {
    let parts = about.split(atByte: UInt8(ascii: "/")).map(String.init)
    return parts.count == 2 && parts[0] == NotificationKind.webhookOff ? parts[1] : nil
  }

  /// The first of the clips that a row of new ones is about.
  static func group(of about: String) -> String? {
    let parts = about.split(atByte: UInt8(ascii: "/")).map(String.init)
    return parts.count == 2 && parts[0] == NotificationKind.newClip ? parts[1] : nil
  }

  /// The day of a row of follows, in milliseconds since 1970.
  static func day(of about: String) -> Range<Int64>? {
    guard let text = about.split(atByte: UInt8(ascii: "/")).last, let day = SafeInteger.read(String(text))
    else { return nil }
    let start = Int64(day) * NotificationStore.dayMs
    return start..<start + NotificationStore.dayMs
  }
}
