internal import Foundation
internal import Platform
internal import Synchronization

/// Files that were read lately, kept open: what one person watches, the next one asks for.
///
/// A blob that was removed or put again, by whatever process, is not found here any more: its name is looked
/// at each time, which costs no more than the name's entry in the kernel's memory.
final class OpenFiles: Sendable {
  /// Descriptors. The room of a removed blob comes back only when its file is closed.
  static let limit = 256

  private struct Kept {
    let file: BlobFile
    let inode: ino_t
    var used: UInt64
  }

  private let state = Mutex<(files: [BlobName: Kept], clock: UInt64)>(([:], 0))

  func file(_ name: BlobName, at path: String) -> BlobFile? {
    guard let kept = state.withLock({ $0.files[name] }) else { return nil }
    var status = stat()
    guard stat(path, &status) == 0, status.st_ino == kept.inode else {
      state.withLock { $0.files[name] = nil }
      return nil
    }
    state.withLock { state in
      state.clock += 1
      state.files[name]?.used = state.clock
    }
    return kept.file
  }

  func keep(_ file: BlobFile, as name: BlobName, inode: ino_t) {
    // NB: closed outside of the lock, with the last reference.
    let dropped = state.withLock { state -> Kept? in
      state.clock += 1
      let before = state.files.updateValue(Kept(file: file, inode: inode, used: state.clock), forKey: name)
      guard before == nil, state.files.count > Self.limit,
        let oldest = state.files.min(by: { $0.value.used < $1.value.used })
      else { return before }
      return state.files.removeValue(forKey: oldest.key)
    }
    withExtendedLifetime(dropped) {}
  }
}
