public import AppModel
internal import Contract
public import SwiftUI

/// Reports something: for what, a note, and what happens next. Afterwards it thanks, and offers to block.
public struct ReportScreen: View {
  private let model: ReportModel
  @State private var toBlock: Author?
  @FocusState private var focus: ReportModel.Field?
  @AccessibilityFocusState private var hearsThanks: Bool

  public init(_ model: ReportModel) { self.model = model }

  public var body: some View {
    Form {
      if model.report == nil {
        reasons
        note
      } else {
        thanks
      }
    }
    .follows(model.form, $focus)
    .scrollDismissesKeyboard(.interactively)
    .interactiveDismissDisabled(model.form.isBusy)
    .blockQuestion($toBlock) { _ in await model.block() }
    .navigationTitle(Text(verbatim: model.subject.kind.title.words))
  }

  private var reasons: some View {
    Section("What is wrong with it?") {
      ForEach(ReportReason.allCases, id: \.self) { reason in
        Button {
          model.reason = reason
        } label: {
          HStack {
            VStack(alignment: .leading) {
              Text(verbatim: reason.sentence.words)
              if let hint = reason.hint {
                Text(verbatim: hint.words).font(.footnote).foregroundStyle(.secondary)
              }
            }
            Spacer()
            if model.reason == reason { Image(systemName: "checkmark").accessibilityHidden(true) }
          }
          .frame(minHeight: 44)
          .contentShape(.rect)
        }
        .buttonStyle(.plain)
        .accessibilityAddTraits(model.reason == reason ? [.isSelected] : [])
      }
    }
    .disabled(model.form.isBusy)
  }

  private var note: some View {
    Section {
      if let warning = model.reason?.warning {
        WarningLabel(warning)
      }
      StatementField(
        "What else should moderators know?", left: model.charactersLeft, ReportModel.Field.note,
        of: model.form,
        focus: $focus)
      SubmitView("Send the report", busy: "Sending…", model.form) { await model.send() }
    } footer: {
      Text(
        "Moderators look at it. Whoever it is about is not told who reported it. What came of it stands in your account, under “Your reports”."
      )
    }
  }

  @ViewBuilder private var thanks: some View {
    Section {
      VStack(alignment: .leading, spacing: 8) {
        Text("Thank you").font(.headline)
        Text(
          "Moderators look at it. What came of it stands in your account, under “Your reports”.")
      }
      .accessibilityElement(children: .combine)
      .accessibilityFocused($hearsThanks)
      .onAppear { hearsThanks = true }
    }
    Section {
      if let person = model.subject.person, model.canBlock {
        Button("Block \(person.name)", role: .destructive) { toBlock = person }
          .frame(minHeight: 44)
          .disabled(model.isBlocking)
      }
      Button("Your reports") { model.showReports() }.frame(minHeight: 44)
      Button("Done") { model.leave() }.frame(minHeight: 44)
    }
  }
}
