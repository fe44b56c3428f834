internal import AppModel
internal import Contract
internal import Foundation
internal import SwiftUI

/// What somebody has reported, and what came of it.
struct ReportsView: View {
  let list: PagedList<Report>

  var body: some View {
    List {
      ForEach(list.items, id: \.id) { report in
        row(report).task { await list.came(to: report) }
      }
      ListEnd(list: list, none: "You haven’t reported anything.")
    }
    .task { await list.renew() }
    .refreshable { await list.reload() }
  }

  private func row(_ report: Report) -> some View {
    VStack(alignment: .leading) {
      Text(verbatim: report.kind.sentence.words).font(.headline)
      Text(verbatim: report.reason.sentence.words).font(.subheadline)
      Text(verbatim: report.state.sentence.words).font(.subheadline)
      Text(report.createdAt, format: moment).font(.footnote).foregroundStyle(.secondary)
    }
    .accessibilityElement(children: .combine)
  }
}

/// What moderators decided against somebody.
struct DecisionsView: View {
  let model: DecisionsModel

  var body: some View {
    List {
      ForEach(model.list.items, id: \.id) { decision in
        NavigationLink(value: AccountModel.Place.decision(decision.id)) { row(decision) }
          .task { await model.list.came(to: decision) }
      }
      ListEnd(list: model.list, none: "Moderators decided nothing about you.")
    }
    .task { await model.list.renew() }
    .refreshable { await model.list.reload() }
  }

  private func row(_ decision: Decision) -> some View {
    VStack(alignment: .leading) {
      Text(verbatim: decision.headline.words).font(.headline)
      Text(verbatim: decision.reason.sentence.words).font(.subheadline)
      if let standing = decision.standing { Text(verbatim: standing.words).font(.subheadline) }
      if model.canAppeal(decision) { Text("You can appeal.").font(.subheadline) }
      Text(decision.createdAt, format: moment).font(.footnote).foregroundStyle(.secondary)
    }
    .accessibilityElement(children: .combine)
  }
}

/// One decision: why, until when, about what, and what can be said against it.
struct DecisionView: View {
  let model: DecisionsModel
  let id: String
  @FocusState private var focus: DecisionsModel.Field?

  var body: some View {
    Form {
      if let decision = model.decision(id) {
        what(decision)
        if !decision.text.isEmpty {
          Section("What it is about") { Text(verbatim: decision.text).textSelection(.enabled) }
        }
        if !decision.statement.isEmpty {
          Section("What the moderator says") { Text(verbatim: decision.statement).textSelection(.enabled) }
        }
        if let appeal = decision.appeal {
          Section("Your appeal") {
            VStack(alignment: .leading, spacing: 4) {
              Text(verbatim: appeal.text).textSelection(.enabled)
              Text(appeal.createdAt, format: moment).font(.footnote).foregroundStyle(.secondary)
            }
            answer(to: decision)
          }
        } else if decision.review != nil {
          Section { answer(to: decision) }
        } else if model.canAppeal(decision) {
          form(decision)
        }
      } else if model.list.items.isEmpty {
        ListEnd(list: model.list, none: "This decision is not here.")
      } else {
        Text("This decision is not here.").foregroundStyle(.secondary)
      }
    }
    .follows(model.form(of: id), $focus)
    .scrollDismissesKeyboard(.interactively)
    .task { await model.list.begin() }
    .refreshable { await model.list.reload() }
  }

  private func what(_ decision: Decision) -> some View {
    Section {
      VStack(alignment: .leading, spacing: 4) {
        Text(verbatim: decision.headline.words).font(.headline)
        Text(verbatim: decision.reason.sentence.words)
        if let until = decision.until { Text("Until \(until, format: moment)") }
        if let standing = decision.standing { Text(verbatim: standing.words) }
        Text(decision.createdAt, format: moment).font(.footnote).foregroundStyle(.secondary)
      }
      .accessibilityElement(children: .combine)
    }
  }

  private func answer(to decision: Decision) -> some View {
    VStack(alignment: .leading, spacing: 4) {
      Text(verbatim: decision.answered.words).font(.headline)
      if let review = decision.review { Text(verbatim: review.statement).textSelection(.enabled) }
    }
  }

  private func form(_ decision: Decision) -> some View {
    Section {
      StatementField(
        "Why is the decision wrong?", left: model.charactersLeft(of: decision.id), DecisionsModel.Field.text,
        of: model.form(of: decision.id), focus: $focus)
      SubmitView("Appeal", busy: "Sending…", model.form(of: decision.id)) {
        await model.appeal(decision.id)
      }
    } header: {
      Text("Appeal")
    } footer: {
      if let last = decision.appealUntil {
        Text("You can appeal once, until \(last, format: day). Another moderator answers.")
      }
    }
  }
}
