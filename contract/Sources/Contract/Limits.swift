/// What the platform accepts, in the units of the wire.
///
/// Clients check these before they upload; the server checks them again, because a client can lie.
public enum Limits {
  /// The longest clip, in milliseconds.
  public static let durationMs = 60_000
  /// Cameras round up: a "60 s" recording is often a frame or a GOP longer.
  public static let durationToleranceMs = 500
  /// An instant of a clip whose length is not known yet, in milliseconds.
  public static let coverMs = 0...durationMs + durationToleranceMs
  /// The shortest clip that can be called a video.
  public static let shortestMs = 100
  /// The largest source file, in bytes.
  public static let sourceBytes = 50 * 1024 * 1024
  /// Bytes of one request of an upload. Every server takes the largest; the smallest keeps the cost of a
  /// request small beside its bytes.
  public static let uploadPartBytes = 65_536...16 * 1024 * 1024
  /// Parts of an upload that goes straight to the storage: what the clients' machine takes.
  public static let uploadParts = 1024
  /// Tags of a clip, and characters of one.
  public static let tags = 30
  public static let tagLength = 50
  /// Unicode scalars of what somebody wants less of: an id, or a tag of the most characters.
  public static let dismissalSubject = 1...400
  /// Clips, authors, tags and sounds that somebody can want less of, of each kind.
  public static let dismissals = 500
  /// The sides that the scaler and the encoder handle, in pixels.
  public static let sidePixels = 16...8192
  /// Decoded pixels per second; 8K at 30 fps and 4K at 120 fps pass, a decompression bomb does not.
  public static let pixelsPerSecond = 1_100_000_000
  /// Decoded pixels of one frame (8K).
  public static let framePixels = 36_000_000
  /// Clips in one page of the feed.
  public static let pageSize = 1...50
  public static let defaultPageSize = 10
  /// Videos in one page of the dialect's list, and where a request says nothing.
  public static let dialectPageSize = 0...100
  public static let defaultDialectPageSize = 20
  /// Characters of a comment, as a person counts them (grapheme clusters).
  public static let commentLength = 500
  /// Unicode scalars of a comment: plenty for emoji of many parts, too few for towers of accents.
  public static let commentScalars = 4000
  /// People who are told that a comment names them: the first ones.
  public static let mentions = 10
  /// Words and phrases that an account has comments held for, and Unicode scalars of one.
  public static let filterWords = 200
  public static let filterWordScalars = 1...50
  /// From how many comments that wait on it is "as many and more".
  public static let heldComments = 100
  /// Characters of a message, as a person counts them, and its Unicode scalars.
  public static let messageLength = 500
  public static let messageScalars = 4000
  /// People to whom one may write for the first time in a day: plenty for a person, and no mailing.
  public static let conversationsBegun = 50
  public static let conversationsBegunMs: Int64 = 86_400_000
  /// Characters of a note to a report, of reasons that a moderator gives and of an appeal, as a person counts
  /// them, and Unicode scalars.
  public static let statementLength = 1000
  public static let statementScalars = 8000
  /// Days of a suspension that ends by itself.
  public static let suspensionDays = 1...365
  /// For how long somebody can appeal, in milliseconds: 180 days.
  public static let appealMs: Int64 = 180 * 86_400_000
  /// Unicode scalars of a caption or a tag on its way in. What is longer than it may be is cut; what is
  /// longer than this is refused.
  public static let detailScalars = 8000
  /// Tags of a clip on their way in.
  public static let tagsSent = 500
  /// Characters of a media type.
  public static let mediaTypeLength = 255
  /// Bytes of a JSON body: a comment of the most scalars, each written as an escape.
  public static let bodyBytes = 65_536
  /// How deep a JSON body may be nested: plenty for what is sent here.
  public static let jsonDepth = 16
  /// Names of one object, and items of one list: more than anything here has, and too few to take long.
  public static let jsonMembers = 256
  public static let jsonItems = 2048
  /// Characters of an `Idempotency-Key`.
  public static let idempotencyKeyLength = 8...128
  /// Events of what was watched in one request.
  public static let eventsInBatch = 1...100
  /// Characters of an event's id.
  public static let eventIDLength = 8...64
  /// How old an event may be when it arrives (somebody watched without a network), and how far in the future,
  /// in milliseconds.
  public static let eventAgeMs: Int64 = 48 * 3_600_000
  public static let eventAheadMs: Int64 = 300_000
  /// An instant that an event may name at all: 1970 to 2100.
  public static let eventAtMs: ClosedRange<Int64> = 0...4_102_444_800_000
  /// How long something in an event may have taken (ten minutes), or have been watched (a day), in
  /// milliseconds.
  public static let eventTookMs: ClosedRange<Int64> = 0...600_000
  public static let eventWatchedMs: ClosedRange<Int64> = 0...86_400_000
  public static let eventPosition: ClosedRange<Int64> = 0...1_000_000
  /// Milliseconds of a clip that somebody has to watch for a view; its end counts for shorter ones. The same
  /// viewer counts once in the time behind it.
  public static let viewMs: Int64 = 2000
  public static let viewAgainMs: Int64 = 30 * 60_000
  /// Characters of a caption, and its Unicode scalars: plenty for emoji of many parts.
  public static let captionLength = 300
  public static let captionScalars = 1500
  /// Unicode scalars of what is looked for.
  public static let searchScalars = 200
  /// Bytes of a file of captions: of a minute of speech, a hundred times what it takes.
  public static let captionsBytes = 262_144
  /// Cues of a file, and Unicode scalars of one.
  public static let captionsCues = 2000
  public static let captionsCueLength = 1000
  /// Bytes of a cue with its markup.
  public static let captionsCueBytes = 16_384
  /// Languages in which a clip has captions.
  public static let captionsTracks = 16
  /// Characters of a handle: a to z, digits, full stops and underscores.
  public static let handleLength = 2...30
  /// Characters of what somebody says of themselves, as a person counts them, and its Unicode scalars.
  public static let bioLength = 160
  public static let bioScalars = 1000
  /// Links of a profile, and bytes of one.
  public static let profileLinks = 3
  public static let profileLinkBytes = 300
  /// Bytes of somebody's picture as it is sent: what a phone's camera makes.
  public static let pictureBytes = 10_000_000
  /// Its pixels, which are counted before any of them is decoded: 48 megapixels of a phone fit.
  public static let picturePixels = 50_000_000
  /// Pictures to start from that one has sent and that nothing starts from yet; one more makes the oldest
  /// go. After so many milliseconds without being sent again each goes.
  public static let unusedPictures = 20
  public static let unusedPictureLifeMs: Int64 = 86_400_000
  /// Characters of a name, as a person counts them, and its Unicode scalars.
  public static let nameLength = 1...50
  public static let nameScalars = 200
  /// Characters of a password as a person counts them at least, and bytes of UTF-8 at most: longer ones make
  /// the hash no better and the server slower.
  public static let passwordLength = 8
  public static let passwordBytes = 512
  /// Bytes of an e-mail address (RFC 5321).
  public static let emailBytes = 254
  /// Sessions of an account; one more ends the one that was used longest ago.
  public static let sessions = 50
  /// Notices that an account keeps, and for how long, in milliseconds.
  public static let notices = 100
  public static let noticeLifeMs: Int64 = 90 * 86_400_000
  /// Devices of one person that are told of what happens; one more makes the one go that was registered
  /// longest ago. After so many milliseconds without being registered again a device is not told any more.
  public static let devices = 20
  public static let deviceLifeMs: Int64 = 60 * 86_400_000
  /// Hexadecimal digits of a device's token at Apple, which says of its length only that it may change.
  public static let deviceTokenLength = 16...200
  /// Characters of an app's bundle id.
  public static let topicLength = 1...155
  /// Bytes of what is written to a device at Apple's.
  public static let pushPayloadBytes = 4096
  /// Visible characters of the address of a browser at its push service, and of the two keys that it makes
  /// (RFC 8291: a point of P-256 and 16 bytes, each in base64url).
  public static let webEndpointLength = 1...2048
  public static let webKeyLength = 87
  public static let webSecretLength = 22
  /// Bytes of what is written to a browser, before it is encrypted (RFC 8291: what fits into 4096).
  public static let webPayloadBytes = 3993
  /// Entries that an account's list of notifications keeps, the newest ones.
  public static let notifications = 500
  /// From how many on it is "as many and more": people of one entry, and entries that are new.
  public static let notificationPeople = 100
  public static let unseenNotifications = 100
  /// Characters of the mark of a page.
  public static let notificationMarkLength = 1...15
  /// Exports that an account may ask for within a day, and for how long the archive can be had, in
  /// milliseconds: a week.
  public static let exportsADay = 3
  public static let exportLifeMs: Int64 = 7 * 86_400_000
  /// Unicode scalars of what a video is made from: more than most who make them take, in one body.
  public static let promptScalars = 1...4000
  /// Seconds of what can be asked for; which of them can be had is in the offer.
  public static let generationSeconds = 1...60
  /// Bytes of a provider's id of a video.
  public static let generationIDBytes = 300
  /// Webhooks of an account and of the operator, visible characters of an address, and the last messages that
  /// a list shows.
  public static let webhooks = 5
  public static let operatorWebhooks = 20
  public static let webhookAddressLength = 1...1024
  public static let webhookDeliveries = 20
  /// Bytes of what a provider of identities answers by way of a browser or an app: its code, its identity
  /// token (some put hundreds of groups into it), and everything else.
  public static let signInCodeBytes = 2048
  public static let identityTokenBytes = 16_384
  public static let signInTextBytes = 512
  /// For how long somebody may be at a provider, may take to choose a handle afterwards, and has shown that
  /// it is still them, in milliseconds.
  public static let signInMs: Int64 = 15 * 60_000
  public static let signInTicketMs: Int64 = 30 * 60_000
  public static let signInProofMs: Int64 = 10 * 60_000
  /// For how long a sign-in waits for its second step, and the set-up of an app for its first code, in
  /// milliseconds; and sign-ins of one account that wait.
  public static let secondStepMs: Int64 = 10 * 60_000
  public static let codeAppSetupMs: Int64 = 30 * 60_000
  public static let secondSteps = 10
  /// Unicode scalars of a code as it is typed: a recovery code with spaces and hyphens.
  public static let codeScalars = 64
  /// Recovery codes that an account is given at once.
  public static let recoveryCodes = 10
  /// Passkeys of an account, and for how long a device may take to answer, in milliseconds.
  public static let passkeys = 20
  public static let passkeyMs: Int64 = 10 * 60_000
  /// Characters of base64url of what a device answers: the client's data with its origin and challenge, what
  /// the authenticator says (with an attestation that nobody asked for), and the id of a key (1023 bytes).
  public static let passkeyClientData = 1...4096
  public static let passkeyAttestation = 1...16_384
  public static let passkeyCredential = 1...1364
  public static let passkeySignature = 1...2048
  /// Keys for programs of an account, and days for which one may count.
  public static let apiKeys = 20
  public static let apiKeyDays = 1...365
  /// For how long a key that was revoked is remembered, in milliseconds.
  public static let revokedKeyMs: Int64 = 30 * 86_400_000
  /// For how long the answer to a refresh that got lost can be asked for again, in milliseconds.
  public static let refreshGraceMs: Int64 = 120_000
  /// Characters of what the captions of a language are called.
  public static let captionsLabelLength = 40
}
