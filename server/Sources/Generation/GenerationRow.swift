internal import Contract
internal import Platform

/// A generation as it is kept.
struct GenerationRow: Sendable, Equatable {
  /// What is to be done with it next.
  enum Work: String, Sendable { case none = "", start, ask, store }

  var id: String
  /// Nil: of an account that is gone.
  var viewer: String?
  var prompt: String
  var seconds: Int
  var style: GenerationStyle
  var aspect: GenerationAspect
  var refines: String?
  var fromClip: String?
  var picture: String?
  var price: Int64
  /// The day whose credits it took, since 1970.
  var day: Int64
  var state: GenerationState
  var work: Work
  var permille: Int
  /// Tries that were begun.
  var attempts: Int
  /// Names of providers that had it since the last time that all had had it.
  var tried: [String]
  var provider: String?
  /// Its id at the provider.
  var remote: String?
  var upload: String?
  var clip: String?
  var failureCode: String?
  var failureDetail: String?
  var isHidden: Bool
  var isPublished: Bool
  var fencing: Int64
  var dueMs: Int64
  /// When the provider that has it now was asked, or is asked.
  var begunMs: Int64?
  var createdMs: Int64
  var endedMs: Int64?
  /// When its time began to count: when it was asked for, or had made again.
  var wantedMs: Int64

  init(_ row: Row) throws {
    id = try row.text("id")
    viewer = row.optionalText("viewer_id")
    prompt = try row.text("prompt")
    seconds = Int(clamping: try row.integer("seconds"))
    style = GenerationStyle(rawValue: try row.text("style")) ?? .none
    aspect = GenerationAspect(rawValue: try row.text("aspect")) ?? .portrait
    refines = row.optionalText("refines")
    fromClip = row.optionalText("from_clip")
    picture = row.optionalText("picture")
    price = try row.integer("price")
    day = try row.integer("day")
    state = GenerationState(rawValue: try row.text("state")) ?? .failed
    work = Work(rawValue: try row.text("work")) ?? .none
    permille = Int(clamping: try row.integer("permille"))
    attempts = Int(clamping: try row.integer("attempts"))
    tried = try row.text("tried").split(atByte: UInt8(ascii: "\n")).map(String.init)
    provider = row.optionalText("provider")
    remote = row.optionalText("remote")
    upload = row.optionalText("upload")
    clip = row.optionalText("clip_id")
    failureCode = row.optionalText("failure_code")
    failureDetail = row.optionalText("failure_detail")
    isHidden = try row.integer("hidden") == 1
    isPublished = try row.integer("published") == 1
    fencing = try row.integer("fencing")
    dueMs = try row.integer("due_at_ms")
    begunMs = row.optionalInteger("begun_at_ms")
    createdMs = try row.integer("created_at_ms")
    endedMs = row.optionalInteger("ended_at_ms")
    wantedMs = try row.integer("wanted_at_ms")
  }

  var wanted: WantedVideo {
    WantedVideo(
      prompt: PromptText.styled(prompt, style), seconds: seconds,
      aspect: VideoAspect(rawValue: aspect.rawValue) ?? .portrait,
      hasPicture: start != nil)
  }

  var start: VideoStart? { VideoStart(clip: fromClip, picture: picture) }

  /// By which a provider, and the intake, know the same try again. One that is made again counts its tries
  /// anew, and none of them is one of before: a provider would answer with what became of that.
  var key: String { wantedMs == createdMs ? "\(id)-\(attempts)" : "\(id)-\(wantedMs)-\(attempts)" }
}
