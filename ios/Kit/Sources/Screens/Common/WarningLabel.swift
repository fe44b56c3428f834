internal import AppModel
internal import SwiftUI

/// A sentence behind the sign that something is wrong, or in the way.
struct WarningLabel: View {
  private let sentence: Sentence

  init(_ sentence: Sentence) { self.sentence = sentence }

  var body: some View {
    Label {
      Text(verbatim: sentence.words)
    } icon: {
      Image(systemName: "exclamationmark.circle")
    }
  }
}

/// What is wrong with a field; nothing where nothing is.
struct FaultLabel: View {
  private let fault: Sentence?

  init(_ fault: Sentence?) { self.fault = fault }

  var body: some View {
    if let fault { WarningLabel(fault).font(.footnote).foregroundStyle(.red) }
  }
}
