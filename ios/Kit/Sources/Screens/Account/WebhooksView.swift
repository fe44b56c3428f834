internal import AppModel
internal import Contract
internal import Foundation
internal import SwiftUI

/// Addresses that hear of what happens to an account: which there are, another one, one less.
struct WebhooksView: View {
  let model: WebhooksModel
  @FocusState private var focus: WebhooksModel.Field?
  @State private var toRenew: Webhook?
  @State private var toRemove: Webhook?

  var body: some View {
    Form {
      if let made = model.made {
        shown(made)
      } else if let webhooks = model.webhooks {
        lead(webhooks)
        ForEach(webhooks) { section($0) }
        another
      } else if let failure = model.failure {
        TryAgainView(failure) { await model.load() }
      } else {
        ProgressView("Loading")
      }
    }
    .follows(model.form, $focus)
    .scrollDismissesKeyboard(.interactively)
    .task { await model.load() }
    .refreshable { await model.load() }
    .confirmationDialog(
      "Another secret?",
      isPresented: Binding(get: { toRenew != nil }, set: { if !$0 { toRenew = nil } }),
      titleVisibility: .visible, presenting: toRenew
    ) { webhook in
      Button("Make one") { Task { await model.renewSecret(of: webhook) } }
      Button("Cancel", role: .cancel) {}
    } message: { _ in
      Text("For a day messages are signed by the one before as well.")
    }
    .confirmationDialog(
      "Remove the webhook?",
      isPresented: Binding(get: { toRemove != nil }, set: { if !$0 { toRemove = nil } }),
      titleVisibility: .visible, presenting: toRemove
    ) { webhook in
      Button("Remove", role: .destructive) { Task { await model.remove(webhook) } }
      Button("Cancel", role: .cancel) {}
    } message: { _ in
      Text("What waits for it is not sent any more.")
    }
  }

  private func lead(_ webhooks: [Webhook]) -> some View {
    Section {
      if webhooks.isEmpty { Text("No webhooks yet.").foregroundStyle(.secondary) }
    } header: {
      Text(
        "A program of yours hears of what happens here: a small message goes to its address, signed as Standard Webhooks has it."
      )
    }
  }

  private func section(_ webhook: Webhook) -> some View {
    Section {
      VStack(alignment: .leading) {
        Text(verbatim: webhook.address).font(.headline)
        Text(verbatim: webhook.state.words).font(.footnote).foregroundStyle(.secondary)
        if let taken = webhook.deliveredAt {
          Text("Took its last message on \(taken, format: moment)")
            .font(.footnote)
            .foregroundStyle(.secondary)
        }
      }
      .accessibilityElement(children: .combine)
      Toggle("On", isOn: power(webhook))
      ForEach(WebhookEvent.allCases, id: \.self) { event in
        Toggle(isOn: hears(event, webhook)) { Text(verbatim: event.sentence.words) }
      }
      Button("Send a test") { Task { await model.test(webhook) } }.frame(minHeight: 44)
      Button("Last messages") { Task { await model.look(at: webhook) } }.frame(minHeight: 44)
      messages(webhook)
      Button("New secret") { toRenew = webhook }.frame(minHeight: 44)
      Button("Remove", role: .destructive) { toRemove = webhook }.frame(minHeight: 44)
    }
    .disabled(model.busy != nil)
  }

  @ViewBuilder private func messages(_ webhook: Webhook) -> some View {
    if let items = model.deliveries[webhook.id] {
      if items.isEmpty { Text("No message yet.").foregroundStyle(.secondary) }
      ForEach(items) { delivery in
        VStack(alignment: .leading) {
          Text(verbatim: delivery.event).font(.footnote).bold()
          Text("On \(delivery.createdAt, format: moment)").font(.footnote).foregroundStyle(.secondary)
          Text(verbatim: delivery.outcome.words).font(.footnote).foregroundStyle(.secondary)
        }
        .accessibilityElement(children: .combine)
      }
    }
  }

  private func power(_ webhook: Webhook) -> Binding<Bool> {
    Binding(
      get: { webhook.enabled }, set: { isOn in Task { await model.switchOn(isOn, webhook) } })
  }

  private func hears(_ event: WebhookEvent, _ webhook: Webhook) -> Binding<Bool> {
    Binding(
      get: { webhook.events.contains(event) },
      set: { isOn in Task { await model.choose(event, isOn: isOn, of: webhook) } })
  }

  private func holds(_ event: WebhookEvent) -> Binding<Bool> {
    Binding(get: { model.events.contains(event) }, set: { model.choose(event, isOn: $0) })
  }

  @ViewBuilder private var another: some View {
    Section {
      if !model.isOffered {
        Text("This site sends no webhooks.").foregroundStyle(.secondary)
      } else if !model.canAdd {
        Text(
          "To add a webhook, confirm an e-mail address, connect another way to sign in, or add a passkey first."
        )
        .foregroundStyle(.secondary)
      } else {
        FieldView(
          "Address", .link, hint: "It begins with https:// and is on the open network.",
          WebhooksModel.Field.address, of: model.form, focus: $focus)
        ForEach(WebhookEvent.allCases, id: \.self) { event in
          Toggle(isOn: holds(event)) { Text(verbatim: event.sentence.words) }
        }
        SubmitView("Add a webhook", busy: "Adding it…", model.form) { await model.add() }
      }
    } header: {
      Text("Another webhook")
    }
  }

  private func shown(_ made: WebhookWithSecret) -> some View {
    Section {
      SecretRow(Text(verbatim: made.webhook.address), made.secret, label: "Copy the secret") {
        model.noteCopied()
      }
      Button("I have kept the secret") { model.kept() }.bold().frame(minHeight: 44)
    } header: {
      Text("By this secret your program knows who writes. Keep it now: it isn’t shown again.")
    }
  }
}
