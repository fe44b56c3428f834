import Foundation

/// What the servers in the place of vendors have in common: jobs that go on a step each time that they are
/// asked for, whoever asks too often, too many at once, and what was wrong about a request.
final class VideoVendor: Sendable {
  struct Job: Sendable {
    var id = ""
    var prompt = ""
    var seconds = 0
    /// As the dialect has it.
    var size = ""
    /// The bytes of a picture that came with it.
    var picture: [UInt8]?
    var refined: String?
    var key: String?
    var polls = 0
    var isCancelled = false
    /// Whoever asks heard that it is done.
    var isDoneThere = false
    var polled: ContinuousClock.Instant?
  }

  enum End: Sendable {
    case completed
    /// With the vendor's own code and words.
    case failed(code: String, message: String)
  }

  struct Rules: Sendable {
    /// How often a job is asked for until it has ended: once it waits, then it goes on.
    var steps = 3
    /// Whoever asks for a job sooner is told to wait.
    var pollEvery = Duration.zero
    /// Jobs that are not over yet; further ones are told to wait.
    var concurrent = Int.max
    var end: @Sendable (Job) -> End = { _ in .completed }
    /// What the content is.
    var video: @Sendable (Job) -> [UInt8] = { _ in VideoVendor.video }
    /// An answer in place of the right one, to a request that is as it should be. The job: that it is about.
    var script: @Sendable (_ request: VendorServer.Request, _ job: Job?) -> VendorServer.Answer? = { _, _ in
      nil
    }
  }

  /// Whether it is worth a look, but nothing that could be played.
  static let video: [UInt8] =
    [0, 0, 0, 0x18] + Array("ftypisom".utf8) + [0, 0, 2, 0] + Array("isomiso2".utf8)
    + [UInt8](repeating: 7, count: 200_000)

  enum Stage: Sendable, Equatable { case waiting, going(permille: Int), over }

  private struct State {
    var jobs: [String: Job] = [:]
    var order: [String] = []
    var faults: [String] = []
    var requests: [String] = []
    var most = 0
  }

  let rules: Rules
  private let state = Shared(State())

  /// In the order in which they began.
  var jobs: [Job] { state.with { state in state.order.compactMap { state.jobs[$0] } } }
  /// What was wrong about requests.
  var faults: [String] { state.with { $0.faults } }
  /// `GET /v1/videos/video_1`, one for each.
  var requests: [String] { state.with { $0.requests } }
  /// The most jobs that it had at a time.
  var mostAtOnce: Int { state.with { $0.most } }

  init(_ rules: Rules) { self.rules = rules }

  func note(_ request: VendorServer.Request) {
    state.with { $0.requests.append("\(request.method) \(request.path)") }
  }

  func fault(_ what: String) { state.with { $0.faults.append(what) } }

  func job(_ id: String) -> Job? { state.with { $0.jobs[id] } }

  /// The job, one for each key; nil: there are too many.
  func begin(_ job: Job, id: (Int) -> String) -> Job? {
    state.with { state in
      if let key = job.key, let known = state.jobs.values.first(where: { $0.key == key }) { return known }
      let open = state.jobs.values.filter { !$0.isDoneThere && !$0.isCancelled }.count
      guard open < rules.concurrent else { return nil }
      var job = job
      job.id = id(state.order.count + 1)
      state.jobs[job.id] = job
      state.order.append(job.id)
      state.most = max(state.most, open + 1)
      return job
    }
  }

  /// A step further. Nil: it was asked for too soon.
  func poll(_ id: String) -> (job: Job, stage: Stage)? {
    let now = ContinuousClock.now
    return state.with { state in
      guard var job = state.jobs[id] else { return nil }
      if let polled = job.polled, now - polled < rules.pollEvery { return nil }
      job.polled = now
      job.polls += 1
      let stage: Stage =
        job.polls >= rules.steps
        ? .over : job.polls == 1 ? .waiting : .going(permille: job.polls * 1000 / rules.steps)
      if stage == .over { job.isDoneThere = true }
      state.jobs[id] = job
      return (job, stage)
    }
  }

  func cancel(_ id: String) { state.with { $0.jobs[id]?.isCancelled = true } }

  static func json(_ object: [String: Any]) -> String {
    let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])
    return String(decoding: data ?? Data(), as: UTF8.self)
  }
}

/// Why a request is refused, as whoever plays the vendor says it.
struct VendorRefusal: Error {
  let answer: VendorServer.Answer
  /// What is wrong with the caller; nil: nothing, it is the vendor that has none of it.
  let fault: String?

  init(_ answer: VendorServer.Answer, fault: String? = nil) {
    (self.answer, self.fault) = (answer, fault)
  }
}
