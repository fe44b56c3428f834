public import CoreTypes

public enum AccountOwner {}
public enum TokenOwner {}
public enum APIRequestOwner {}

/// An account that signed in on this device, given by the host.
public typealias AccountID = Handle<AccountOwner>
/// An access token, given by the host: another number for each that is kept, never used twice.
public typealias TokenID = Handle<TokenOwner>
/// A request of the API, given by the host; never used twice.
public typealias APIRequestID = Handle<APIRequestOwner>

extension SignInSession {
  public enum Event: Sendable {
    // Who is signed in, as the device keeps it
    /// This account, by this token; whoever signed in or refreshed it, here or elsewhere.
    case accountFound(AccountID, TokenID)
    /// Nobody.
    case guestFound

    // Requests
    /// `life`: for how long the token that is kept still counts; of no interest for a guest.
    case requestWanted(APIRequestID, RequestKind, life: Milliseconds)
    case requestAnswered(APIRequestID)
    /// `status`: that of HTTP; 0 if nothing came back.
    case requestFailed(APIRequestID, status: Int32, Problem)

    // The refresh
    /// The turn that `awaitTurn` asked for has come.
    case turnCame
    /// The new token was found before.
    case refreshAnswered
    /// `status`: that of HTTP; 0 if nothing came back.
    case refreshFailed(status: Int32)
    case woke
  }

  public enum Command: Equatable, Sendable {
    /// Sends it: `requestAnswered` or `requestFailed`. One that is sent elsewhere may go, and that is all.
    case send(APIRequestID)
    /// It ends without an answer.
    case fail(APIRequestID, Reason)
    /// Waits until nothing else on this device refreshes: `turnCame`.
    case awaitTurn
    /// Asks for another token, while the turn lasts: `refreshAnswered` or `refreshFailed`.
    case refresh
    case endTurn
    /// The session is over: keeps it no longer.
    case forgetSession
  }

  public enum RequestKind: Int32, Sendable {
    case reads = 0
    /// It leaves something on the server, which makes a guest of whoever is nobody yet.
    case writes = 1
    /// The host sends it by other means, and asks only for a token that counts.
    case sentElsewhere = 2
  }

  /// What the server said is wrong, as far as it is about who asks.
  public enum Problem: Int32, Sendable {
    case other = 0
    case accessTokenExpired = 1
    case accessTokenInvalid = 2
    case sessionEnded = 3
    case signInNeeded = 4
    case refreshTokenInvalid = 5
    case refreshTokenReused = 6
  }

  public enum Reason: Int32, Sendable {
    /// By what the server said of it, or by the lack of an answer.
    case answered = 0
    /// The same, and it said that nobody is signed in by that token any more.
    case ended = 1
    /// Whoever wanted it is signed out; it was not sent.
    case signedOut = 2
    /// By what became of the refresh for which it waited.
    case refreshFailed = 3
  }
}
