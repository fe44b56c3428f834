/// Every error that crosses the wire or that a person meets in the log. Codes are stable; texts may improve.
public enum ErrorCode: String, Sendable, CaseIterable, Codable {
  // Requests
  case invalidCursor = "invalid_cursor"
  case invalidParameter = "invalid_parameter"
  case routeNotFound = "route_not_found"
  case clipNotFound = "clip_not_found"
  case mediaNotFound = "media_not_found"
  case methodNotAllowed = "method_not_allowed"
  case contentTypeUnsupported = "content_type_unsupported"
  case bodyTooLarge = "body_too_large"
  case invalidIdempotencyKey = "invalid_idempotency_key"
  case idempotencyKeyReused = "idempotency_key_reused"
  case tooManyRequests = "too_many_requests"
  case rangeNotSatisfiable = "range_not_satisfiable"
  case requestRefused = "request_refused"
  case unavailable = "unavailable"
  case internalError = "internal_error"
  // Comments
  case commentEmpty = "comment_empty"
  case commentTooLong = "comment_too_long"
  case commentsOff = "comments_off"
  case commentNotFound = "comment_not_found"
  case commentRemoved = "comment_removed"
  case commentNotYours = "comment_not_yours"
  case commentIsReply = "comment_is_reply"
  case commentsForFollowers = "comments_for_followers"
  // What the site takes of what people write
  case textRefused = "text_refused"
  case linksNotYet = "links_not_yet"
  // Uploads
  case uploadsOff = "uploads_off"
  case uploadNotFound = "upload_not_found"
  case uploadExpired = "upload_expired"
  case uploadBusy = "upload_busy"
  case uploadOffsetMismatch = "upload_offset_mismatch"
  case uploadTooLong = "upload_too_long"
  case uploadIncomplete = "upload_incomplete"
  case uploadHashMismatch = "upload_hash_mismatch"
  case uploadChecksumMismatch = "upload_checksum_mismatch"
  case uploadClosed = "upload_closed"
  case uploadQuota = "upload_quota"
  case tusVersionUnsupported = "tus_version_unsupported"
  // Captions
  case captionsUnreadable = "captions_unreadable"
  case captionsEmpty = "captions_empty"
  case captionsTooLarge = "captions_too_large"
  case captionsTooMany = "captions_too_many"
  case captionsNotFound = "captions_not_found"
  case captionsNeedAClip = "captions_need_a_clip"
  // A source that is refused
  case notAFile = "not_a_file"
  case fileUnreadable = "file_unreadable"
  case emptyFile = "empty_file"
  case fileTooLarge = "file_too_large"
  case notAVideo = "not_a_video"
  case unreadable
  case noVideoStream = "no_video_stream"
  case tooLong = "too_long"
  case tooShort = "too_short"
  case dimensionsUnsupported = "dimensions_unsupported"
  case truncated
  case damaged
  case unsupportedCodec = "unsupported_codec"
  case encrypted
  // Work that did not succeed
  case transcodingFailed = "transcoding_failed"
  case storageFull = "storage_full"
  case jobNotFound = "job_not_found"
  case captioningFailed = "captioning_failed"
  // Clips that are not for everybody
  case clipNotReady = "clip_not_ready"
  case clipNotYours = "clip_not_yours"
  case clipForAdults = "clip_for_adults"
  case adultUnconfirmed = "adult_unconfirmed"
  case mediaAddressExpired = "media_address_expired"
  case embedFormatUnsupported = "embed_format_unsupported"
  // Who asks
  case accessTokenInvalid = "access_token_invalid"
  case accessTokenExpired = "access_token_expired"
  case sessionEnded = "session_ended"
  case crossSiteRefused = "cross_site_refused"
  // Following, and what somebody wants less of
  case authorNotFound = "author_not_found"
  case soundNotFound = "sound_not_found"
  case followOneself = "follow_oneself"
  case blockOneself = "block_oneself"
  case authorBlocked = "author_blocked"
  // Profiles
  case bioTooLong = "bio_too_long"
  case profileLinkInvalid = "profile_link_invalid"
  case pictureUnreadable = "picture_unreadable"
  case pictureTooLarge = "picture_too_large"
  case pictureNotFound = "picture_not_found"
  // Messages
  case messageEmpty = "message_empty"
  case messageTooLong = "message_too_long"
  case messageNotFound = "message_not_found"
  case messageOneself = "message_oneself"
  case messagesOff = "messages_off"
  case conversationsTooMany = "conversations_too_many"
  // Reports and moderation
  case reportOneself = "report_oneself"
  case caseNotFound = "case_not_found"
  case decisionNotFound = "decision_not_found"
  case decisionNotPossible = "decision_not_possible"
  case decisionReviewed = "decision_reviewed"
  case appealOver = "appeal_over"
  case appealMade = "appeal_made"
  case statementEmpty = "statement_empty"
  case statementTooLong = "statement_too_long"
  // Accounts
  case signInNeeded = "sign_in_needed"
  case credentialsWrong = "credentials_wrong"
  case passwordWrong = "password_wrong"
  case refreshTokenInvalid = "refresh_token_invalid"
  case refreshTokenReused = "refresh_token_reused"
  case accountSuspended = "account_suspended"
  case notAllowed = "not_allowed"
  case accountNotFound = "account_not_found"
  case sessionNotFound = "session_not_found"
  case handleInvalid = "handle_invalid"
  case handleTaken = "handle_taken"
  case nameInvalid = "name_invalid"
  case passwordTooShort = "password_too_short"
  case passwordTooLong = "password_too_long"
  case passwordTooCommon = "password_too_common"
  case emailInvalid = "email_invalid"
  case emailTaken = "email_taken"
  case linkOver = "link_over"
  // What an account takes along
  case exportNotFound = "export_not_found"
  case exportUnderWay = "export_under_way"
  case exportsTooMany = "exports_too_many"
  case exportFailed = "export_failed"
  // Devices that are told of what happens
  case pushOff = "push_off"
  case topicUnknown = "topic_unknown"
  case deviceNotFound = "device_not_found"
  case webDeviceRefused = "web_device_refused"
  // Signing in by somebody else
  case providerNotFound = "provider_not_found"
  case providerUnreachable = "provider_unreachable"
  case signInOver = "sign_in_over"
  case signInDeclined = "sign_in_declined"
  case identityRefused = "identity_refused"
  case identityTaken = "identity_taken"
  case identityNotFound = "identity_not_found"
  case lastWayIn = "last_way_in"
  case proofNeeded = "proof_needed"
  // A second step of signing in
  case secondStepNeeded = "second_step_needed"
  case codeWrong = "code_wrong"
  case codeAppSetUp = "code_app_set_up"
  case codeAppMissing = "code_app_missing"
  // Keys of devices
  case passkeysOff = "passkeys_off"
  case passkeyRefused = "passkey_refused"
  case passkeyNotFound = "passkey_not_found"
  case passkeyTaken = "passkey_taken"
  case passkeysTooMany = "passkeys_too_many"
  // Keys for programs
  case apiKeyInvalid = "api_key_invalid"
  case apiKeyNotAllowed = "api_key_not_allowed"
  case apiKeyNotFound = "api_key_not_found"
  case apiKeysTooMany = "api_keys_too_many"
  // Clips from words
  case contentPolicy = "content_policy"
  case insufficientCredits = "insufficient_credits"
  case generationNotFound = "generation_not_found"
  case generationsUnderWay = "generations_under_way"
  case generationUnavailable = "generation_unavailable"
  case generationNotPossible = "generation_not_possible"
  case promptEmpty = "prompt_empty"
  case promptTooLong = "prompt_too_long"
  // Webhooks
  case webhooksOff = "webhooks_off"
  case webhooksTooMany = "webhooks_too_many"
  case webhookNotFound = "webhook_not_found"
  case webhookAddressRefused = "webhook_address_refused"
  case webhookSignatureRefused = "webhook_signature_refused"
  case verificationNeeded = "verification_needed"

  /// One row of the table.
  public struct Entry: Sendable, Equatable {
    public let status: Int
    /// The same request can succeed later without being changed.
    public let retryable: Bool
    public let title: String
    /// One sentence for a person.
    public let message: String
  }

  public var status: Int { entry.status }
  public var retryable: Bool { entry.retryable }
  public var title: String { entry.title }
  public var message: String { entry.message }

  public var entry: Entry {
    switch self {
    case .invalidCursor:
      .refused(400, "Invalid cursor", "This place in the list is not known; start again from the top.")
    case .invalidParameter:
      .refused(400, "Invalid parameter", "One of the parameters has a value that is not allowed.")
    case .routeNotFound: .refused(404, "Not found", "There is nothing at this address.")
    case .clipNotFound: .refused(404, "Clip not found", "This clip does not exist, or not any more.")
    case .mediaNotFound: .refused(404, "Media not found", "This media file does not exist, or not any more.")
    case .methodNotAllowed: .refused(405, "Method not allowed", "This address does not take this method.")
    case .contentTypeUnsupported:
      .refused(415, "Content type unsupported", "This address takes a body of type application/json.")
    case .bodyTooLarge: .refused(413, "Body too large", "The body is larger than this address takes.")
    case .invalidIdempotencyKey:
      .refused(
        400, "Invalid idempotency key",
        "Idempotency-Key must be 8 to 128 visible ASCII characters, chosen anew for each thing that is made.")
    case .idempotencyKeyReused:
      .refused(409, "Idempotency key reused", "This idempotency key came before, with another body.")
    case .tooManyRequests: .later(429, "Too many requests", "That was too much at once; wait a moment.")
    case .rangeNotSatisfiable:
      .refused(416, "Range not satisfiable", "The file is shorter than the range asked for.")
    case .requestRefused: .refused(400, "Bad request", "The request could not be understood.")
    case .unavailable: .later(503, "Unavailable", "The server cannot answer now; try again in a moment.")
    case .internalError:
      .later(500, "Internal error", "Something went wrong on the server; try again in a moment.")
    case .commentEmpty: .refused(422, "Comment empty", "A comment needs some text.")
    case .commentTooLong: .refused(422, "Comment too long", "A comment has at most 500 characters.")
    case .commentsOff: .refused(403, "Comments are off", "Comments are off here.")
    case .commentNotFound:
      .refused(404, "Comment not found", "This comment does not exist, or not any more.")
    case .commentRemoved: .refused(410, "Comment removed", "This comment was removed.")
    case .commentNotYours:
      .refused(
        403, "Comment not yours",
        "A comment is deleted by whoever wrote it or made the clip, and pinned by whoever made the clip.")
    case .commentIsReply: .refused(422, "That is a reply", "A reply cannot be pinned.")
    case .commentsForFollowers:
      .refused(
        403, "For followers",
        "Whoever made this clip takes comments of people who follow them; follow them and send it again.")
    case .textRefused:
      .refused(
        422, "Not taken here",
        "This has words in it that this site does not take. Change it and send it again.")
    case .linksNotYet:
      .refused(
        403, "Links not yet",
        "Links can be sent once an account is older. Send it without the link, or wait until then.")
    case .uploadsOff: .refused(403, "Uploads are off", "Nobody can upload here.")
    case .uploadNotFound: .refused(404, "Upload not found", "This upload does not exist, or not any more.")
    case .uploadExpired:
      .refused(410, "Upload expired", "This upload waited too long for its next byte; start it again.")
    case .uploadBusy:
      .later(423, "Upload busy", "Another request is adding to this upload; try again in a moment.")
    case .uploadOffsetMismatch:
      .refused(
        409, "Upload offset mismatch",
        "The upload goes on at another byte; ask for its offset and send from there.")
    case .uploadTooLong: .refused(413, "Upload too long", "These are more bytes than were declared.")
    case .uploadIncomplete:
      .refused(409, "Upload incomplete", "Bytes are missing; send the rest, then publish.")
    case .uploadHashMismatch:
      .refused(
        422, "Upload hash mismatch",
        "The bytes that came are not those that were declared; the upload starts again from the first byte.")
    case .uploadChecksumMismatch:
      .refused(460, "Checksum mismatch", "These bytes were damaged on their way; send them again.")
    case .uploadClosed: .refused(409, "Upload closed", "This upload takes no more bytes.")
    case .uploadQuota:
      .later(429, "Upload quota", "That is more than one person may upload at a time; try again later.")
    case .tusVersionUnsupported:
      .refused(412, "tus version unsupported", "This server speaks version 1.0.0 of tus.")
    case .captionsUnreadable:
      .refused(
        422, "Captions unreadable", "The captions cannot be read; they must be WebVTT or SubRip in UTF-8.")
    case .captionsEmpty: .refused(422, "No captions", "There are no captions in this file.")
    case .captionsTooLarge: .refused(413, "Captions too large", "A file of captions has at most 256 KB.")
    case .captionsTooMany:
      .refused(409, "Too many captions", "A clip has captions in at most 16 languages; remove one first.")
    case .captionsNotFound:
      .refused(404, "Captions not found", "The clip has no captions in this language, or not any more.")
    case .captionsNeedAClip:
      .refused(409, "Captions need a clip", "Captions can be added once the upload is published.")
    case .notAFile: .refused(422, "Not a file", "There is no regular file at this path.")
    case .fileUnreadable: .refused(422, "File not readable", "The file cannot be opened for reading.")
    case .emptyFile: .refused(422, "Empty file", "The file is empty.")
    case .fileTooLarge: .refused(413, "File too large", "The file is larger than 50 MB.")
    case .notAVideo:
      .refused(
        415, "Not a video",
        "The file is not a video of a kind that can be taken (MP4, MOV, WebM, Matroska, MPEG-TS).")
    case .unreadable: .refused(422, "Unreadable", "The file looks like a video but cannot be read.")
    case .noVideoStream: .refused(422, "No video", "The file has no moving picture in it.")
    case .tooLong: .refused(422, "Too long", "The video is longer than 60 seconds.")
    case .tooShort: .refused(422, "Too short", "The video is shorter than a tenth of a second.")
    case .dimensionsUnsupported:
      .refused(
        422, "Dimensions unsupported",
        "The picture is too small, too large or too fast (16 to 8192 pixels a side).")
    case .truncated:
      .refused(
        422, "Truncated",
        "The video ends before its own declared end; the upload or the recording was cut off.")
    case .damaged: .refused(422, "Damaged", "Parts of the picture are damaged and cannot be shown.")
    case .unsupportedCodec:
      .refused(415, "Unsupported codec", "The video is coded in a way that this server cannot decode.")
    case .encrypted: .refused(422, "Encrypted", "The video is encrypted.")
    case .transcodingFailed: .later(500, "Transcoding failed", "The video could not be converted.")
    case .jobNotFound: .refused(404, "Job not found", "There is no such job that has failed.")
    case .captioningFailed: .later(500, "Captioning failed", "The captions could not be made.")
    case .storageFull: .later(507, "Storage full", "There is no room left for this clip.")
    case .clipNotReady:
      .later(409, "Clip not ready", "This clip cannot be watched yet; try again in a moment.")
    case .clipNotYours:
      .refused(
        403, "Clip not yours",
        "This video was here before, so its clip can only be changed with the upload that made it.")
    case .clipForAdults:
      .refused(
        403, "For adults",
        "This clip is for adults. Sign in and turn restricted mode off in the settings to watch it.")
    case .adultUnconfirmed:
      .refused(
        403, "Say that you are an adult", "Only adults can turn restricted mode off; say that you are one.")
    case .mediaAddressExpired:
      .refused(403, "Media address expired", "This address is over; ask for the clip again to get a new one.")
    case .embedFormatUnsupported:
      .refused(501, "Format unsupported", "This address speaks JSON only.")
    case .accessTokenInvalid:
      .refused(401, "Access token invalid", "This is no access token of this server; sign in again.")
    case .accessTokenExpired:
      .refused(401, "Access token expired", "The access token is over; refresh the session to get a new one.")
    case .sessionEnded: .refused(401, "Session ended", "This session was ended; sign in again.")
    case .crossSiteRefused:
      .refused(403, "Cross-site request refused", "Another site may not do this on somebody's behalf.")
    case .authorNotFound:
      .refused(404, "Author not found", "There is nobody with this id, or not any more.")
    case .soundNotFound:
      .refused(404, "Sound not found", "No clip has this sound, or not any more.")
    case .followOneself: .refused(422, "That is you", "Nobody can follow themselves.")
    case .blockOneself: .refused(422, "That is you", "Nobody can block themselves.")
    case .authorBlocked:
      .refused(
        403, "You have blocked this author",
        "You have blocked whoever made this; unblock them in your account to have to do with it again.")
    case .bioTooLong:
      .refused(422, "Bio too long", "A bio has at most 160 characters, in at most five lines.")
    case .profileLinkInvalid:
      .refused(
        422, "Link not possible",
        "A link is a web address, such as https://example.org; a profile has at most three.")
    case .pictureUnreadable:
      .refused(
        422, "Picture unreadable",
        "The picture cannot be read; it must be a whole JPEG, PNG or WebP.")
    case .pictureTooLarge:
      .refused(
        413, "Picture too large", "A picture has at most 10 MB and 50 million pixels; choose a smaller one.")
    case .pictureNotFound:
      .refused(404, "Picture not found", "This picture is not there, or not any more; choose it again.")
    case .messageEmpty: .refused(422, "Message empty", "A message needs some text.")
    case .messageTooLong: .refused(422, "Message too long", "A message has at most 500 characters.")
    case .messageNotFound:
      .refused(404, "Message not found", "This message does not exist, or not any more.")
    case .messageOneself: .refused(422, "That is you", "Nobody can write to themselves.")
    case .messagesOff:
      .refused(403, "Messages are off", "This clip was uploaded by a guest, who cannot get messages.")
    case .pushOff:
      .refused(403, "No notifications", "This server sends no notifications to devices.")
    case .topicUnknown:
      .refused(422, "App unknown", "This server sends no notifications to this app.")
    case .deviceNotFound:
      .refused(404, "Device not found", "This device is not registered, or not any more.")
    case .webDeviceRefused:
      .refused(422, "Browser not possible", "This server cannot write to the push service of this browser.")
    case .exportNotFound:
      .refused(404, "Export not found", "There is no such export, or not any more.")
    case .exportUnderWay:
      .refused(409, "Export under way", "Your data is being put together already; wait until that is done.")
    case .exportsTooMany:
      .later(
        429, "Too many exports",
        "Your data was put together often enough for today; try again tomorrow.")
    case .exportFailed:
      .later(500, "Export failed", "Your data could not be put together; try again later.")
    case .contentPolicy:
      .refused(422, "Not made here", "Nothing is made of such a prompt here; change it and send it again.")
    case .insufficientCredits:
      .refused(
        402, "Not enough credits",
        "Your credits of today are not enough for that; there are new ones tomorrow.")
    case .generationNotFound:
      .refused(404, "Generation not found", "There is nothing of yours under this id, or not any more.")
    case .generationsUnderWay:
      .refused(
        409, "Enough under way", "You have as many under way as you may; wait for one, or cancel one.")
    case .generationUnavailable:
      .refused(403, "Nobody makes videos", "Clips cannot be made from words here.")
    case .generationNotPossible:
      .refused(422, "Not possible", "A video of this length or shape cannot be had here.")
    case .promptEmpty: .refused(422, "Prompt empty", "Say in some words what is to be seen.")
    case .promptTooLong:
      .refused(422, "Prompt too long", "A prompt has at most 4000 characters.")
    case .webhooksOff:
      .refused(403, "Webhooks are off", "This server sends no webhooks for accounts.")
    case .webhooksTooMany:
      .refused(
        409, "Too many webhooks", "An account has at most \(Limits.webhooks) webhooks; remove one first.")
    case .webhookNotFound:
      .refused(404, "Webhook not found", "There is no such webhook, or not any more.")
    case .webhookAddressRefused:
      .refused(
        422, "Address not possible",
        "A webhook goes to an address of https on the open network, such as https://example.org/hook.")
    case .webhookSignatureRefused:
      .refused(
        403, "Signature refused",
        "The signature is not by this provider's secret, or the message is too old, or of a time to come.")
    case .verificationNeeded:
      .refused(
        403, "Verification needed",
        "Confirm an e-mail address, connect another way to sign in, or add a passkey first.")
    case .conversationsTooMany:
      .later(
        429, "Too many conversations",
        "You have written to many new people today; you can write to others tomorrow.")
    case .reportOneself: .refused(422, "Report oneself", "You cannot report what is your own.")
    case .caseNotFound: .refused(404, "Case not found", "There is no such case.")
    case .decisionNotFound:
      .refused(404, "Decision not found", "There is no such decision, or it is not about you.")
    case .decisionNotPossible:
      .refused(422, "Decision not possible", "This cannot be decided about what was reported.")
    case .decisionReviewed:
      .refused(409, "Decision reviewed", "This decision was answered or taken back already.")
    case .appealOver: .refused(409, "Appeal over", "This decision cannot be appealed any more.")
    case .appealMade: .refused(409, "Appeal made", "You have appealed against this decision already.")
    case .statementEmpty: .refused(422, "Nothing said", "Write some words; whoever it is about reads them.")
    case .statementTooLong:
      .refused(
        422, "Text too long", "This text may have \(Limits.statementLength) characters at most.")
    case .signInNeeded: .refused(401, "Sign in needed", "Sign in to do this.")
    case .credentialsWrong: .refused(401, "Wrong", "The handle or the password is wrong.")
    case .passwordWrong: .refused(403, "Password wrong", "The password is wrong.")
    case .refreshTokenInvalid:
      .refused(401, "Refresh token invalid", "This is no refresh token of this server; sign in again.")
    case .refreshTokenReused:
      .refused(
        401, "Refresh token reused",
        "This refresh token was used before, so the session was ended; sign in again.")
    case .accountSuspended:
      .refused(403, "Account suspended", "This account is suspended; it can read, and nothing else.")
    case .notAllowed: .refused(403, "Not allowed", "This account may not do this.")
    case .accountNotFound: .refused(404, "Account not found", "There is no such account.")
    case .sessionNotFound:
      .refused(404, "Session not found", "This account has no such session, or not any more.")
    case .handleInvalid:
      .refused(
        422, "Handle not possible",
        "A handle is 2 to 30 letters a to z, digits, full stops or underscores; it starts and ends with a letter or a digit."
      )
    case .handleTaken: .refused(409, "Handle taken", "This handle is taken; choose another one.")
    case .nameInvalid: .refused(422, "Name not possible", "A name has 1 to 50 characters.")
    case .passwordTooShort:
      .refused(422, "Password too short", "A password has at least 8 characters.")
    case .passwordTooLong: .refused(422, "Password too long", "A password has at most 512 bytes.")
    case .passwordTooCommon:
      .refused(422, "Password too common", "This password is one of the first that anybody would try.")
    case .emailInvalid: .refused(422, "E-mail address not possible", "This is no e-mail address.")
    case .emailTaken:
      .refused(409, "E-mail address taken", "Another account has this e-mail address; remove it there first.")
    case .linkOver:
      .refused(410, "Link over", "This link was used, or waited too long; ask for a new one.")
    case .providerNotFound:
      .refused(404, "Provider not found", "Nobody of this name can be signed in by here.")
    case .providerUnreachable:
      .later(
        503, "Provider unreachable",
        "The service that you sign in by does not answer; try again in a moment, or sign in another way.")
    case .signInOver:
      .refused(
        410, "Sign-in over",
        "This sign-in waited too long, or was begun in another window or browser; begin it again.")
    case .signInDeclined: .refused(403, "Sign-in declined", "You did not sign in there, so nothing happened.")
    case .identityRefused:
      .refused(
        403, "Identity refused",
        "What the service answered cannot be trusted, so nobody was signed in; begin again, and tell the operator if it happens twice."
      )
    case .identityTaken:
      .refused(409, "Identity taken", "Another account is connected with this; sign in to that one.")
    case .identityNotFound:
      .refused(404, "Identity not found", "This account is not connected with that, or not any more.")
    case .lastWayIn:
      .refused(
        409, "Last way in", "This is the only way into the account; set a password first, or connect another."
      )
    case .proofNeeded:
      .refused(
        403, "Proof needed",
        "Give the password of the account; where there is none, sign in once more by what it is connected with."
      )
    case .secondStepNeeded:
      .refused(
        401, "Second step needed",
        "This account asks for a code as well; if you are not asked for one here, update the app.")
    case .codeWrong:
      .refused(
        403, "Code wrong",
        "This code is not right, or was used already; wait for the next one, and see whether the clock of your device is right."
      )
    case .codeAppSetUp:
      .refused(409, "App set up", "An app makes codes for this account already; turn that off first.")
    case .codeAppMissing:
      .refused(409, "No app set up", "No app makes codes for this account, or the set-up waited too long.")
    case .passkeysOff:
      .refused(
        403, "No passkeys", "This server takes no passkeys: they need an address that begins with https.")
    case .passkeyRefused:
      .refused(
        403, "Passkey refused",
        "This passkey is not known here, or what it answered cannot be trusted; sign in another way.")
    case .passkeyNotFound:
      .refused(404, "Passkey not found", "This account has no such passkey, or not any more.")
    case .passkeyTaken: .refused(409, "Passkey taken", "This passkey is in use already.")
    case .passkeysTooMany:
      .refused(
        409, "Too many passkeys", "An account has at most \(Limits.passkeys) passkeys; remove one first.")
    case .apiKeyInvalid:
      .refused(
        401, "Key invalid",
        "This is no key of this server, or it was revoked or has expired; make one in your account.")
    case .apiKeyNotAllowed:
      .refused(403, "Key not allowed", "This key may not do this; make one with the scope for it.")
    case .apiKeyNotFound:
      .refused(404, "Key not found", "This account has no such key, or not any more.")
    case .apiKeysTooMany:
      .refused(409, "Too many keys", "An account has at most \(Limits.apiKeys) keys; revoke one first.")
    }
  }
}

extension ErrorCode.Entry {
  static func refused(_ status: Int, _ title: String, _ message: String) -> Self {
    .init(status: status, retryable: false, title: title, message: message)
  }

  static func later(_ status: Int, _ title: String, _ message: String) -> Self {
    .init(status: status, retryable: true, title: title, message: message)
  }
}
