public import AppModel
internal import Contract
public import Foundation
public import SwiftUI

/// The clips on this device for times without a network.
public struct KeptClipsScreen: View {
  private let kept: KeptClips
  private let base: URL
  private let watch: @MainActor (String) -> Void

  /// `base`: the instance. `watch` begins to play with one of them.
  public init(_ kept: KeptClips, base: URL, watch: @escaping @MainActor (String) -> Void) {
    self.kept = kept
    self.base = base
    self.watch = watch
  }

  public var body: some View {
    List {
      ForEach(kept.rows) { row in
        Button {
          watch(row.id)
        } label: {
          KeptClipRow(row, base: base)
        }
        .disabled(row.bytes == 0)
        .accessibilityHint("Plays it, without a network too.")
        .swipeActions(edge: .trailing) {
          Button("Remove", systemImage: "trash", role: .destructive) { remove(row) }
        }
        .contextMenu {
          if case .failed = row.state {
            Button("Try again", systemImage: "arrow.clockwise") { kept.retry(row.id) }
          }
          Button("Remove", systemImage: "trash", role: .destructive) { remove(row) }
        }
        .accessibilityAction(named: "Remove") { remove(row) }
      }
    }
    .overlay {
      if kept.rows.isEmpty {
        ContentUnavailableView(
          "No kept clips", systemImage: "arrow.down.circle",
          description: Text("Keep a clip by its menu, and watch it where there is no network."))
      }
    }
    .safeAreaInset(edge: .bottom) {
      if !kept.rows.isEmpty {
        Text("In all \(kept.bytes.formatted(.byteCount(style: .file)))")
          .font(.footnote)
          .foregroundStyle(.secondary)
          .padding(8)
          .frame(maxWidth: .infinity)
          .background(.bar)
      }
    }
    .navigationTitle("Kept clips")
    .sensoryFeedback(.success, trigger: kept.rows.count)
  }

  private func remove(_ row: KeptClips.Row) { Task { await kept.remove(row.id) } }
}

/// One of them: whose it is, what it says, and how far it has come.
struct KeptClipRow: View {
  private let row: KeptClips.Row
  private let base: URL

  init(_ row: KeptClips.Row, base: URL) {
    self.row = row
    self.base = base
  }

  var body: some View {
    HStack(alignment: .center, spacing: 12) {
      ClipPicture(ListPicture(of: row.kept.clip, base: base)).frame(width: 44)
      VStack(alignment: .leading, spacing: 4) {
        Text(verbatim: "@" + row.kept.clip.author.handle).font(.headline).foregroundStyle(.primary)
        if !row.kept.clip.caption.isEmpty {
          Text(verbatim: row.kept.clip.caption).lineLimit(2).foregroundStyle(.primary)
        }
        if row.kept.clip.aiGenerated == true { MadeByAI().foregroundStyle(.secondary) }
        state.font(.footnote).foregroundStyle(.secondary)
      }
      Spacer(minLength: 0)
      if case .fetching(let done, let total) = row.state {
        ProgressView(value: Double(min(done, total)), total: Double(max(1, total)))
          .progressViewStyle(.circular)
          .accessibilityHidden(true)
      }
    }
    .frame(minHeight: 44)
    .contentShape(.rect)
    .accessibilityElement(children: .combine)
  }

  private var state: Text {
    switch row.state {
    case .whole: Text(verbatim: row.bytes.formatted(.byteCount(style: .file)))
    case .waiting: Text("Waiting")
    case .fetching(let done, let total):
      Text("\(percent(done, total))% loaded")
    case .failed(let sentence): Text(verbatim: sentence.words)
    }
  }

  private func percent(_ done: Int, _ total: Int) -> Int {
    guard total > 0 else { return 0 }
    return Int((Double(min(max(done, 0), total)) / Double(total) * 100).rounded(.down))
  }
}
