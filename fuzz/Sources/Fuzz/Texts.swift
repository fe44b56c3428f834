internal import Contract
internal import Foundation

@testable internal import Accounts
@testable internal import Platform
@testable internal import Videos

/// What people type: names, addresses, captions, tags. What comes out fits its limits, and is the same when
/// it comes in again.
func readTexts(_ bytes: [UInt8]) {
  let given = text(bytes)
  if let address = try? EmailAddress.checked(given) {
    require(
      address.utf8.allSatisfy { (0x21..<0x7F).contains($0) } && address.utf8.count <= Limits.emailBytes)
    require((try? EmailAddress.checked(EmailAddress.key(address))) == EmailAddress.key(address))
  }
  if let handle = try? Handle.checked(given) {
    require((try? Handle.checked(handle)) == handle && Handle.folded(handle) == handle)
  }
  if let name = try? PersonName.checked(given) {
    require((try? PersonName.checked(name))?.hasSameBytes(as: name) == true)
  }
  _ = try? Password.checked(given, handle: "somebody", email: "somebody@clips.example")
  let caption = Caption.clean(given)
  require(
    caption.unicodeScalars.count <= Limits.captionScalars && Caption.clean(caption).hasSameBytes(as: caption))
  _ = Caption.derived(from: given)
  let tags = Tags.clean(Tags.named(in: given) + [given])
  require(tags.count <= Limits.tags && Tags.clean(tags) == tags)
  if let language = LanguageTag(given) { require(LanguageTag(language.description) == language) }
  readPlain(given)
  readWords(given)
  var person = ProvenIdentity(issuer: "https://issuer.example", subject: "1")
  (person.name, person.nickname, person.email) = (given, given, given)
  require((try? Handle.checked(HandleSuggestion.of(person) { _ in true })) != nil)
}

/// What can be looked for at all is found in itself.
private func readWords(_ given: String) {
  require(WordFilter.key(of: given) == nil || WordFilter([given]).first(in: given) == 0)
  _ = WordFilter(["free money", "东京", "sp4m"]).first(in: given)
  _ = WrittenLinks.areIn(given)
  _ = try? WordLists.lists(in: given, path: "")
}

private func readPlain(_ given: String) {
  let line = PlainText.line(given)
  require(!line.utf8.contains { $0 < 0x20 || $0 == 0x7F })
  require(!PlainText.lines(given).utf8.contains { $0 < 0x20 && $0 != 0x0A })
  for most in [0, 1, 7, 256] {
    let cut = BoundedText.cut(given, toBytes: most)
    require(cut.utf8.count <= most && given.utf8.starts(with: cut.utf8))
  }
  require(BoundedText.normalized(given).utf8.count <= 3 * given.utf8.count)
}
