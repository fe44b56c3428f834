public import AppModel
internal import Contract
public import Foundation
public import SwiftUI

/// Clips as a grid from which the feed goes on: by a tag, what rises, what resembles one.
public struct GridScreen: View {
  private let model: ClipGridModel
  private let base: URL
  private let preview: ClipPreview

  /// `base`: the instance.
  public init(_ model: ClipGridModel, base: URL, preview: ClipPreview) {
    self.model = model
    self.base = base
    self.preview = preview
  }

  public var body: some View {
    ClipGridView(
      list: model.list, base: base, preview: preview, none: LocalizedStringKey(model.none.key),
      returnsTo: model.returnsTo
    ) { model.open($0) }
    .navigationTitle(Text(verbatim: model.title.words))
  }
}
