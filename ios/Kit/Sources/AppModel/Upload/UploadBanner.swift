/// What the system shows of an upload while the person is elsewhere, where it does so.
///
/// - `ask` may be called again while it is shown, and is of no consequence then.
/// - `end` lets it go: all is done, or nothing goes on without the person.
@MainActor public protocol UploadBanner: AnyObject {
  /// The person has just asked for an upload. `name`: of the file.
  func ask(_ title: Sentence, name: String)
  /// 0 to 1.
  func show(_ share: Double)
  func end(isDone: Bool)
}
