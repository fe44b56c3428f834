import AppModel
import Contract
import CoreTypes
import Device
import DeviceKit
import Foundation
import MediaCache
import MediaStore
import Persistence
import Playback
import Session

extension Instance {
  /// Without it clips play as they come, and none is kept: whoever uses the app is told why.
  static func openDisk(_ root: URL, _ announcements: Announcements) -> DiskStore? {
    do {
      return try DiskStore(root: root)
    } catch {
      announcements.post(
        "No clips can be stored on this device now. Free some space, then start the app again.")
      return nil
    }
  }

  static func makeKept(
    _ root: URL, _ fetcher: ClipFetcher, _ assembly: FeedAssembly, _ shared: Composition,
    _ wanted: StoredFile<AppSettings>
  ) -> KeptClips {
    let keeper = ClipKeeper(
      fetcher,
      shortEdge: {
        let path = shared.device.state.path
        let saves = wanted.load()?.playback.saves ?? false
        return saves || path.isExpensive || path.isConstrained ? shortEdge.saving : shortEdge.best
      },
      isInSession: { clip in
        let feed = assembly.host.feed
        return feed.item(of: clip.id).map { feed.shows($0) } ?? false
      })
    return KeptClips(
      file: StoredFile(root.appending(path: "kept-clips")), keeper: keeper,
      announcements: shared.announcements)
  }

  /// What takes room on this device. The core gives back what it holds, in memory and on disk at once.
  static func storage(
    _ memory: SegmentMemory, _ store: DiskStore?, _ kept: KeptClips?, _ host: SessionHost,
    _ drafts: WrittenTexts
  ) -> [StorageUse] {
    let clear: @MainActor @Sendable () async -> Void = {
      host.report(.storage(.clearRequested))
      await host.settled()
    }
    var uses = [
      StorageUse(.memory, goesWith: store == nil ? [] : [.media], size: { memory.size }, clear: clear)
    ]
    if let store {
      uses.append(StorageUse(.media, goesWith: [.memory], size: { await store.used }, clear: clear))
    }
    if let kept {
      uses.append(StorageUse(.kept, size: { kept.bytes }, clear: { await kept.removeAll() }))
    }
    uses.append(
      StorageUse(.drafts, size: { drafts.size }, clear: { drafts.dropAll() }))
    return uses
  }

  /// What people have written and not sent, wherever it lies.
  struct WrittenTexts: Sendable {
    let library: Library
    let statementFile: StoredFile<[StatementDraft]>
    let promptFile: StoredFile<[PromptDraft]>
    let talk: TalkModels
    let statements: StatementDrafts
    let prompts: PromptDrafts

    var size: Int {
      library.drafts.size + library.commentDrafts.size + library.conversationDrafts.size
        + statementFile.size + promptFile.size
    }

    @MainActor func dropAll() {
      talk.dropDrafts()
      statements.dropAll()
      prompts.dropAll()
    }
  }
}
