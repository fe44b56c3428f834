import AppModel
import CoreTypes
import Device
import EnergyBudget
import Foundation
import Persistence
import Session
import Testing

@MainActor private func preferences(_ folder: URL) -> CaptionPreferences {
  CaptionPreferences(file: StoredFile(folder.appending(path: "captions")))
}

@MainActor @Suite struct SettingsModelTests {
  @Test func aWishHoldsAtOnceAndAtTheNextStart() async throws {
    try await withFolder { folder in
      let file = StoredFile<AppSettings>(folder.appending(path: "settings"))
      var applied: [AppSettings] = []
      let model = SettingsModel(
        file: file, captions: preferences(folder), storage: [], announcements: Announcements()
      ) {
        applied.append($0)
      }
      #expect(applied == [AppSettings()])
      model.saves = true
      model.saves = true
      model.refreshes = false
      #expect(applied.count == 3)
      let next = SettingsModel(
        file: file, captions: preferences(folder), storage: [], announcements: Announcements()
      ) { _ in }
      #expect(next.saves && !next.refreshes && !next.waits)
    }
  }

  @Test func theCoreHearsOfEachWish() async throws {
    try await withFolder { folder in
      var events: [String] = []
      let watch = DeviceWatch(StillDevice()) { event in
        switch event {
        case .conditionsChanged(let now):
          events.append("saver \(now.dataSaver) autoplay \(now.autoplay) network \(now.network)")
        case .firstFrameRequired(let isOn): events.append("waits \(isOn)")
        default: break
        }
      }
      watch.start()
      let model = SettingsModel(
        file: StoredFile(folder.appending(path: "settings")), captions: preferences(folder), storage: [],
        announcements: Announcements()
      ) { watch.preferences = $0.playback }
      events = []
      model.waits = true
      model.saves = true
      model.byHand = true
      #expect(
        events == [
          "waits true", "saver true autoplay true network unmetered",
          "saver true autoplay false network unmetered",
        ])
    }
  }

  @Test func aSettingThatCannotBeWrittenHoldsAndIsToldOf() async throws {
    try await withFolder { folder in
      // A file stands where the folder would be.
      try Data().write(to: folder.appending(path: "taken"))
      let announcements = Announcements()
      let model = SettingsModel(
        file: StoredFile(folder.appending(path: "taken").appending(path: "settings")),
        captions: preferences(folder),
        storage: [], announcements: announcements
      ) { _ in }
      model.byHand = true
      #expect(model.byHand)
      #expect(announcements.waiting.count == 1)
    }
  }

  @Test func clearsOneKindAndCountsAnew() async throws {
    try await withFolder { folder in
      var sizes: [StorageUse.Kind: Int] = [.memory: 10, .media: 200, .kept: 3_000]
      let storage = [StorageUse.Kind.memory, .media, .kept].map { kind in
        StorageUse(kind, size: { sizes[kind] ?? 0 }, clear: { sizes[kind] = 0 })
      }
      let model = SettingsModel(
        file: StoredFile(folder.appending(path: "settings")), captions: preferences(folder), storage: storage,
        announcements: Announcements()
      ) { _ in }
      await model.measure()
      #expect(model.total == 3_210)
      model.asksToClear = .media
      await model.clear(.media)
      #expect(model.asksToClear == nil)
      #expect(model.rows.map(\.bytes) == [10, 0, 3_000])
      await model.clear(.drafts)
      #expect(model.total == 3_010)
    }
  }

  @Test func saysWhatGoesWithAKindAndMarksBoth() async throws {
    try await withFolder { folder in
      var sizes: [StorageUse.Kind: Int] = [.memory: 10, .media: 200, .kept: 3_000]
      let (gate, opening) = AsyncStream.makeStream(of: Void.self)
      let clear: @MainActor @Sendable () async -> Void = {
        for await _ in gate { break }
        (sizes[.memory], sizes[.media]) = (0, 0)
      }
      let storage = [
        StorageUse(.memory, goesWith: [.media], size: { sizes[.memory] ?? 0 }, clear: clear),
        StorageUse(.media, goesWith: [.memory], size: { sizes[.media] ?? 0 }, clear: clear),
        StorageUse(.kept, size: { sizes[.kept] ?? 0 }, clear: { sizes[.kept] = 0 }),
      ]
      let model = SettingsModel(
        file: StoredFile(folder.appending(path: "settings")), captions: preferences(folder), storage: storage,
        announcements: Announcements()
      ) { _ in }
      await model.measure()
      let question = model.question(about: .memory).text { $0 }
      #expect(question.hasPrefix("Clips loaded ahead go too. "))
      #expect(question.contains("Kept clips and drafts stay."))
      #expect(model.question(about: .media).text { $0 }.hasPrefix("What is in memory goes too. "))
      #expect(model.question(about: .kept) == StorageUse.Kind.kept.cost)
      let clearing = Task { await model.clear(.memory) }
      #expect(await soon { model.rows.map(\.isClearing) == [true, true, false] })
      // Neither is cleared twice meanwhile.
      await model.clear(.media)
      opening.yield()
      opening.finish()
      await clearing.value
      #expect(model.rows.map(\.bytes) == [0, 0, 3_000])
      #expect(model.rows.allSatisfy { !$0.isClearing })
    }
  }
}
