internal import AppModel
internal import Contract
internal import SwiftUI

/// Somebody who was found: their name leads to them, and a button follows them.
struct FoundPersonRow: View {
  private let person: FoundPerson
  private let people: FoundPeopleModel
  private let canFollow: Bool
  private let open: @MainActor () -> Void

  init(
    _ person: FoundPerson, of people: FoundPeopleModel, canFollow: Bool = true,
    open: @escaping @MainActor () -> Void
  ) {
    self.person = person
    self.people = people
    self.canFollow = canFollow
    self.open = open
  }

  var body: some View {
    ActionRow {
      Button(action: open) {
        VStack(alignment: .leading) {
          PersonLine(person.author)
          Text("\(person.followers) followers").font(.footnote).foregroundStyle(.secondary)
        }
        .accessibilityElement(children: .combine)
      }
      .buttonStyle(.plain)
      .accessibilityHint("Opens their profile.")
    } action: {
      if canFollow {
        Button(person.following ? "Following" : "Follow") { Task { await people.toggle(person) } }
          .buttonStyle(.bordered)
          .accessibilityLabel(
            person.following ? Text("Unfollow \(person.author.name)") : Text("Follow \(person.author.name)"))
      }
    }
    .task { await people.list.came(to: person) }
  }
}
