public import CoreTypes

public enum CallOwner {}
/// A piece of work that the host was asked for, given by the core; never used twice in a run.
public typealias CallID = Handle<CallOwner>

extension Upload {
  public enum Event: Sendable {
    /// First of all. The seed is 128 random bits of this upload alone.
    case opened(seed: UploadKey, canCompress: Bool, canTrim: Bool)
    /// What `store` wrote in an earlier run; after `opened`, in place of a choice.
    case restored(Snapshot)
    /// The person chose it; or it was found again after `findFile`.
    case fileChosen(SourceFile)
    case networkChanged(isOnline: Bool)
    case signedIn
    /// How fast bytes left this device the last time. 0: that is not known. Compressing is given up where it
    /// takes longer than the bytes that it spares; without this event it may take any time.
    case uplinkMeasured(BitsPerSecond)

    // The person
    /// Caption and the rest are complete: it may be committed as soon as all bytes are there.
    case publishRequested
    case pauseTapped
    case resumeTapped
    case retryTapped
    case cancelTapped

    // Work on this device
    case workProgressed(CallID, permille: Int32)
    /// The file that was made by `compress` or `offerTrim`.
    case prepared(CallID, SourceFile)
    /// There is none, or the person does not want one.
    case prepareFailed(CallID)
    case hashed(CallID, FileHash)
    /// The bytes cannot be read (any more).
    case fileUnreadable(CallID)

    // The server's state, as the answer to `create` or `ask`
    /// It takes bytes one behind the other; so many it has.
    case receiving(CallID, Offer)
    /// It takes parts by number.
    case receivingParts(CallID, PartOffer)

    // What became of bytes
    /// How many of this call have left so far.
    case bytesSent(CallID, Bytes)
    /// The server has all bytes up to here.
    case bytesTaken(CallID, offset: Bytes)
    case partTaken(CallID)

    // What became of a committed upload: an answer, or (without a call) pushed by the server
    case processing(CallID?, permille: Int32, renditions: Int32)
    case published(CallID?)
    case refused(CallID?, code: Int32)

    /// The server has forgotten the upload and will never commit it.
    case terminated(CallID)
    case failed(CallID, Failure)
    case woke
  }

  public enum Command: Equatable, Sendable {
    /// Written down before any later command is carried out.
    case store(Snapshot)
    /// The upload has ended: nothing of it need outlive the app.
    case forget
    case findFile(size: Bytes, isProduct: Bool)
    case noticeOtherFile(FileID)

    case compress(CallID, FileID, target: Bytes)
    case offerTrim(CallID, FileID, longest: Milliseconds, largest: Bytes)
    case hash(CallID, FileID)
    /// Stops compressing, trimming or hashing; no answer is awaited.
    case stopWork(CallID)
    /// Deletes a file that `prepared` brought; never one that the person chose.
    case dropFile(FileID)

    case create(CallID, UploadKey, SourceFacts)
    case ask(CallID)
    case sendBytes(CallID, FileID, offset: Bytes, size: Bytes)
    case sendPart(CallID, FileID, part: Int32, offset: Bytes, size: Bytes)
    case commit(CallID)
    case poll(CallID)
    case terminate(CallID)
    /// Aborts a request; no answer is awaited.
    case abandon(CallID)

    case askSignIn
    case show(Screen)
  }

  /// What the server is told of a file in advance.
  public struct SourceFacts: Equatable, Sendable {
    public let size: Bytes
    public let duration: Milliseconds
    public let kind: SourceFile.Kind
    public let hash: FileHash
  }

  /// One request at a time, each at the server's offset.
  public struct Offer: Equatable, Sendable {
    public let offset: Bytes
    /// Of one request; the last may be smaller. 0: any.
    public let smallest: Bytes
    /// 0: any.
    public let largest: Bytes

    public init(offset: Bytes, smallest: Bytes, largest: Bytes) {
      self.offset = offset
      self.smallest = smallest
      self.largest = largest
    }
  }

  /// Several requests at a time, each of one part.
  public struct PartOffer: Equatable, Sendable {
    /// Of every part but the last.
    public let size: Bytes
    /// How long the addresses handed out with this are good for. 0: until one is refused.
    public let validFor: Milliseconds
    /// Counted from 1.
    public let stored: [Int32]

    public init(size: Bytes, validFor: Milliseconds, stored: [Int32]) {
      self.size = size
      self.validFor = validFor
      self.stored = stored
    }
  }

  /// Why a request brought nothing.
  public struct Failure: Equatable, Sendable {
    public let reason: Reason
    /// `offsetMismatch`: the server's offset, −1 if it did not say; `rejected`: its code.
    public let detail: Int64
    /// What the server asked for; 0 if it did not.
    public let retryAfter: Milliseconds

    public init(_ reason: Reason, detail: Int64 = 0, retryAfter: Milliseconds = .zero) {
      self.reason = reason
      self.detail = detail
      self.retryAfter = retryAfter
    }
  }

  /// Why a request failed, or why the upload did.
  public enum Reason: Int32, Sendable {
    case none = 0
    // Requests
    case network = 1
    case timeout = 2
    /// 5xx, a lock, an answer that makes no sense.
    case serverBusy = 3
    case offsetMismatch = 4
    /// Expired, or never heard of: it was not committed and will not be.
    case gone = 5
    /// The bytes that arrived are not those that were announced; the server has dropped them.
    case hashMismatch = 6
    case tooManyRequests = 7
    case storageFull = 8
    /// The same again is of no use, as things are; the code says why.
    case rejected = 9
    case signInNeeded = 10
    /// The address of a part is no longer good.
    case addressExpired = 11
    // Files
    case unreadable = 20
    case fileChanged = 21
    case empty = 22
    case tooShort = 23
    case tooLong = 24
    case tooLarge = 25
    case unknownKind = 26
  }

  public enum Phase: Int32, Sendable {
    case empty = 0
    /// Restored; the file has to be found or chosen again.
    case findingFile = 1
    case trimOffered = 2
    case compressing = 3
    case hashing = 4
    case creating = 5
    case sending = 6
    /// After a failure, until `waitingUntil`.
    case waiting = 7
    case offline = 8
    case signInNeeded = 9
    case paused = 10
    /// All bytes are there; the person has not asked to publish yet.
    case complete = 11
    case committing = 12
    case processing = 13
    case failed = 14
    case cancelling = 15
    case published = 16
    case refused = 17
    case cancelled = 18
  }

  /// Everything that a screen shows.
  public struct Screen: Equatable, Sendable {
    public var phase = Phase.empty
    /// The server has them.
    public var acknowledged = Bytes.zero
    public var inFlight = Bytes.zero
    public var total = Bytes.zero
    /// Smoothed; 0 until bytes were seen to move for two seconds.
    public var speed = BitsPerSecond.zero
    /// `nil`: nobody can tell yet.
    public var remaining: Milliseconds?
    /// Failures one behind the other without progress.
    public var attempt: Int32 = 0
    public var waitingUntil: Instant?
    /// Of compressing, hashing or processing.
    public var permille: Int32 = 0
    /// Renditions that can be played.
    public var renditions: Int32 = 0
    public var reason = Reason.none
    /// The server's, with `rejected`, and for a clip that was refused.
    public var code: Int32 = 0
    public var canPause = false
    public var canResume = false
    public var canRetry = false
    public var canCancel = false

    public init() {}
  }
}
