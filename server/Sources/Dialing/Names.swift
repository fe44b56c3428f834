internal import Dispatch
public import Platform

/// Names of hosts.
public enum Names {
  /// All addresses of a name or number; none if it is not known. Waits for the network, on no thread of ours.
  public static func addresses(of host: String) async -> [NetworkAddress] {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: NetworkAddress.all(of: host)) }
    }
  }
}
