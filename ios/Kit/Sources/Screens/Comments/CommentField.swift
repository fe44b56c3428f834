internal import AppModel
internal import Contract
internal import Foundation
internal import SwiftUI

/// The field in which a comment or a reply is written: whom it answers, and who may be meant by what is typed
/// behind an `@`.
struct CommentField: View {
  private let model: CommentsModel

  init(_ model: CommentsModel) { self.model = model }

  var body: some View {
    if let reason = model.closedReason {
      Text(verbatim: reason.words).foregroundStyle(.secondary).frame(minHeight: 44).padding(8)
    } else {
      VStack(spacing: 0) {
        if !model.mentions.people.isEmpty { suggestions }
        if let answered = model.answered { subject(answered) }
        WritingField(
          model.field, prompt: prompt, send: model.answered == nil ? "Post the comment" : "Post the reply",
          symbol: "arrow.up.circle.fill", wantsFocus: model.answered?.id
        ) {
          model.post()
        }
      }
    }
  }

  private var prompt: LocalizedStringKey {
    guard let answered = model.answered else { return "Add a comment…" }
    return "Reply to \(answered.author?.name ?? String(localized: "Guest"))"
  }

  private func subject(_ answered: ClipComment) -> some View {
    HStack {
      Text(verbatim: answered.text).font(.footnote).lineLimit(1)
      Spacer()
      Button {
        model.takeReplyBack()
      } label: {
        Image(systemName: "xmark").frame(width: 44, height: 44)
      }
      .accessibilityLabel("Write no reply")
    }
    .foregroundStyle(.secondary)
    .padding(.leading, 26)
    .padding(.trailing, 12)
  }

  private var suggestions: some View {
    ScrollView(.horizontal) {
      HStack(spacing: 8) {
        ForEach(model.mentions.people, id: \.id) { person in
          Button {
            model.mention(person)
          } label: {
            VStack(alignment: .leading) {
              Text(verbatim: person.name).font(.subheadline)
              Text(verbatim: "@" + person.handle).font(.footnote).foregroundStyle(.secondary)
            }
            .frame(minHeight: 44)
          }
          .buttonStyle(.bordered)
          .accessibilityHint("Names them in your text.")
        }
      }
      .padding(.horizontal, 12)
      .padding(.top, 6)
    }
  }
}
