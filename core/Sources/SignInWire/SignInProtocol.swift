/// What `SignInSession` hears: names and numbers, here and nowhere else. `woke` is the feed session's, as any
/// machine behind a door of its own hears it; the others do not meet those of the other machines.
///
/// `scripts/wire-protocol.sh` makes the tables of docs/design/sign-in.md and web/app/api/api.js of this
/// file.
public enum SignInEventKind: Int64 {
  case woke = 50
  case accountFound = 170
  case guestFound = 171
  case requestWanted = 172
  case requestAnswered = 173
  case requestFailed = 174
  case turnCame = 175
  case refreshAnswered = 176
  case refreshFailed = 177
}

public enum SignInCommandKind: Int64 {
  case send = 170
  case fail = 171
  case awaitTurn = 172
  case refresh = 173
  case endTurn = 174
  case forgetSession = 175
}

// What follows is for people, scripts and tests; no word of it gets into activity.wasm.
#if !hasFeature(Embedded)

  /// The fields in their order, each a name and what is said of it, and what the row says.
  extension SignInEventKind: CaseIterable {
    public var row: (fields: [String], meaning: String) {
      switch self {
      case .woke: ([], "the time asked for by `wake` has come")
      case .accountFound:
        (
          ["account", "token"],
          "this account is signed in by this token; numbers of the host's, another one for each token that is kept"
        )
      case .guestFound: ([], "nobody is signed in")
      case .requestWanted:
        (
          ["request", "kind (0 reads, 1 writes, 2 sent elsewhere)", "life ms"],
          "`life`: for how long the token still counts"
        )
      case .requestAnswered: (["request"], "the server did it")
      case .requestFailed:
        (
          [
            "request", "status of HTTP (0: nothing came back)",
            "problem (0 other, 1 access_token_expired, 2 access_token_invalid, 3 session_ended, 4 sign_in_needed, 5 refresh_token_invalid, 6 refresh_token_reused)",
          ], "it did not, and said what is wrong with whoever asks"
        )
      case .turnCame: ([], "no other tab refreshes until `endTurn`")
      case .refreshAnswered: ([], "comes behind the `accountFound` of the new token")
      case .refreshFailed: (["status of HTTP (0: nothing came back)"], "there is no new token")
      }
    }
  }

  extension SignInCommandKind: CaseIterable {
    public var row: (fields: [String], meaning: String) {
      switch self {
      case .send:
        (
          ["request"],
          "sends it: `requestAnswered` or `requestFailed`; what is sent elsewhere may go, and that is all"
        )
      case .fail:
        (
          [
            "request",
            "reason (0 as answered, 1 the same: the session is over, 2 signed out, 3 the refresh failed)",
          ],
          "says so to whoever wanted it"
        )
      case .awaitTurn: ([], "waits until no other tab refreshes: `turnCame`")
      case .refresh: ([], "asks for another token: `refreshAnswered` or `refreshFailed`")
      case .endTurn: ([], "lets other tabs refresh")
      case .forgetSession: ([], "keeps the session no longer, and says that it is over")
      }
    }
  }

#endif
