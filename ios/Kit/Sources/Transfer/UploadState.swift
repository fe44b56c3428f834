public import Contract
public import CoreTypes
public import Foundation
public import Upload

/// What a screen shows of one upload.
public struct UploadState: Equatable, Identifiable, Sendable {
  public let id: String
  /// What the file was called where it was chosen.
  public var name: String
  public var screen = Upload.Screen()
  public var form: UploadForm
  public var isPublishRequested: Bool
  /// What the server knows of the clip, as it answered or was told last.
  public var known: ClipDetails?
  /// The clip is there, and the server could not be told what the form says by now.
  public var hasUntoldDetails = false
  /// The file that goes up, or is looked at.
  public var file: URL?
  /// `nil`: nothing here can tell.
  public var duration: Milliseconds?
  /// Somebody has to choose a part.
  public var trim: TrimOffer?
  /// Another file than the one that is waited for was chosen.
  public var isOtherFile = false
  /// This device has no room for a part on its way.
  public var lacksRoom = false
  /// In the server's words, of the last thing that went wrong.
  public var problem: UploadProblem?
  /// After how long it wants to be asked again, a day at most; 0: nobody said.
  public var retryAfterSeconds = 0
  /// The server's word on the clip that is being made.
  public var clip: UploadedClip?
  /// By which the server knows the upload; whoever has it owns the clip. Empty until the server has told it.
  public var uploadID = ""

  public init(id: String, name: String, form: UploadForm = UploadForm(), isPublishRequested: Bool = false) {
    self.id = id
    self.name = name
    self.form = form
    self.isPublishRequested = isPublishRequested
  }

  public var phase: Upload.Phase { screen.phase }

  /// Nothing more will come of it.
  public var hasEnded: Bool {
    switch phase {
    case .published, .refused, .cancelled: true
    default: false
    }
  }

  /// The server's code behind `screen.code`, or of the last problem.
  public var code: ErrorCode? {
    Refused.code(of: screen.code) ?? problem.flatMap { ErrorCode(rawValue: $0.code) }
  }
}
