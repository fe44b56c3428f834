internal import Foundation
public import Transfer

// Where Foundation lies in several modules.
#if canImport(FoundationNetworking)
  internal import FoundationNetworking
  internal import FoundationOfApple
#endif

extension SessionUploads {
  /// One whose requests go on while the app sleeps or is gone; the system starts it again to hear of them.
  /// One for each identifier and process.
  ///
  /// Parts are never resumed by `uploadTask(withResumeData:)`: the system has such data only of servers that
  /// announce the IETF's draft with an interim answer, and parts are requests of our own protocol. A part
  /// that was cut goes on where the server says that it stands, which is as little again.
  public static func inBackground(_ identifier: String) -> SessionUploads {
    let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
    configuration.sessionSendsLaunchEvents = true
    // The person waits for it: not when it suits the system.
    configuration.isDiscretionary = false
    configuration.httpMaximumConnectionsPerHost = 3
    // Who asks is told by the requests themselves.
    configuration.httpShouldSetCookies = false
    return SessionUploads(configuration: configuration)
  }
}
