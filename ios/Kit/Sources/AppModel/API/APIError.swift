internal import Contract
public import Foundation
internal import MediaStore

/// Why a request of the API ended without an answer of the server's.
public enum APIError: Error, Equatable {
  /// Something in between answered: the page on which a public network wants people to sign in, most often.
  case intercepted
  /// This device's own secrets cannot be read now.
  case credentialsLocked
}

/// An error that has its sentence with it.
protocol SaysWhy: Error {
  var sentence: Sentence { get }
}

extension Sentence {
  /// What a person can do about it, and when. `locale`: of the time in it.
  public init(for error: any Error, locale: Locale = .autoupdatingCurrent) {
    switch error {
    case let fault as any SaysWhy: self = fault.sentence
    case let problem as Problem: self = Self.of(problem, locale)
    case let error as URLError: self = Self.of(error.code)
    case APIError.intercepted:
      self =
        "Something on this network answered instead of Clipfeed. If the network wants you to sign in, do that first."
    case APIError.credentialsLocked, is CredentialStoreError:
      self = "Your account can’t be read until this device is unlocked. Unlock it and try again."
    case let error as DiskError where error.isFull:
      self = "This device is full, so the clip could not be kept."
    case is DecodingError: self = "The server’s answer couldn’t be read. Update the app and try again."
    default: self = "Something went wrong. Please try again."
    }
  }

  private static func of(_ code: URLError.Code) -> Sentence {
    switch code {
    case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff:
      "You’re offline. Check the connection and try again."
    case .serverCertificateHasBadDate, .serverCertificateNotYetValid:
      "The connection isn’t trusted. Check this device’s date and time, then try again."
    case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot, .secureConnectionFailed,
      .clientCertificateRejected, .clientCertificateRequired:
      "The connection isn’t secure, so nothing was sent. Try another network."
    default: "The server does not answer. Check the connection and try again."
    }
  }

  /// Whoever asked wants no answer any more, so there is nothing to say.
  public static func isSilent(_ error: any Error) -> Bool {
    error is CancellationError || (error as? URLError)?.code == .cancelled
  }
}
