import AppModel
import Foundation
import MediaStore
import Testing

@Suite struct FullDiskTests {
  @Test func aFullDiskHasItsOwnSentence() {
    #expect(Sentence(for: DiskError(ENOSPC)).key.contains("full"))
    #expect(Sentence(for: DiskError(EIO)) == Sentence(for: CocoaError(.fileReadUnknown)))
  }
}
