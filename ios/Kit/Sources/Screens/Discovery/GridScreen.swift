public import AppModel
internal import Contract
public import Foundation
public import SwiftUI

/// Clips as a grid from which the feed goes on: by a tag, what rises, what resembles one.
public struct GridScreen: View {
  private let model: ClipGridModel
  private let base: URL

  /// `base`: the instance.
  public init(_ model: ClipGridModel, base: URL) {
    self.model = model
    self.base = base
  }

  public var body: some View {
    ClipGridView(
      list: model.list, base: base, none: LocalizedStringKey(model.none.key), returnsTo: model.returnsTo
    ) { model.open($0) }
    .navigationTitle(Text(verbatim: model.title.words))
  }
}
