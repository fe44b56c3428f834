import Contract
import Platform
import Testing

@testable import Comments
@testable import PlatformTesting

@Suite struct CommentTextTests {
  @Test func marksHeapedOnALetterAreNoComment() {
    #expect(throws: AppError(.commentTooLong, field: "text")) { try commentText.checked(HostileText.marks) }
  }
}
