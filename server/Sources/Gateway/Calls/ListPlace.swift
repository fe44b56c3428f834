internal import Contract
internal import Hummingbird
internal import Platform

/// Where in a list a request wants to read.
struct ListPlace {
  let cursor: String?
  let limit: Int

  init(_ request: Request) throws {
    let parameters = request.uri.queryParameters
    cursor = parameters["cursor"].flatMap { $0.isEmpty ? nil : String($0) }
    guard let text = parameters["limit"] else {
      limit = Limits.defaultPageSize
      return
    }
    guard let number = SafeInteger.read(text), Limits.pageSize.contains(number) else {
      throw AppError(.invalidParameter, "limit must be a number from 1 to 50.", field: "limit")
    }
    limit = number
  }
}
