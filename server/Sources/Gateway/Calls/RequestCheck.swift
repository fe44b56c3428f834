internal import Contract
internal import HTTPTypes
internal import Hummingbird
internal import OpenAPI
internal import Platform

/// Holds what a request says in its query and its headers against what the OpenAPI document says of the
/// operation.
enum RequestCheck {
  static func hold(_ request: Request, against operation: Operation?) throws {
    guard let operation else { return }
    let query = request.uri.queryParameters
    for parameter in operation.parameters where parameter.note.isChecked {
      let given: String? =
        switch parameter.place {
        case .query: query[Substring(parameter.name)].map(String.init)
        case .header: HTTPField.Name(parameter.name).flatMap { request.headers[$0] }
        case .path: nil
        }
      guard let given else {
        guard parameter.isRequired else { continue }
        throw AppError(
          parameter.note.tooLittle, "\(parameter.name) is missing.", field: parameter.name)
      }
      if let wrong = parameter.violation(in: given) { throw AppError(wrong) }
    }
  }
}
