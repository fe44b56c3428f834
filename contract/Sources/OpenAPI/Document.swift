internal import Contract

/// The OpenAPI 3.1 document of everything under `/api`, made of the contract's tables.
public enum Document {
  /// The same text each time.
  public static let text = json.text + "\n"

  static let json: JSON = [
    "openapi": "3.1.0",
    "info": [
      "title": "Clipfeed", "version": "1",
      "description": .string(
        """
        Every error is a problem of RFC 9457 whose `code` is stable. 400: the request is not what this document says; `field` \
        names what is wrong. 422: it is, but its content cannot be taken. Members of objects that are not described \
        here may come later and are to be passed over; requests may have such as well.
        """),
    ],
    "servers": [["url": "/"]],
    "tags": .array(tags.map { ["name": .string($0.name), "description": .string($0.about)] }),
    "paths": .object(paths),
    "components": [
      "schemas": .object(schemas),
      "headers": [
        "RequestId": [
          "description":
            "What the operator finds the request by: the caller's own X-Request-Id if it is harmless.",
          "required": true, "schema": ["type": "string", "minLength": 1, "maxLength": 64],
        ],
        "RetryAfter": [
          "description": "Seconds.", "required": true, "schema": ["type": "integer", "minimum": 0],
        ],
      ],
      "securitySchemes": [
        "bearer": [
          "type": "http", "scheme": "bearer",
          "description": "The access token of an account, or a guest's token.",
        ],
        "session": [
          "type": "apiKey", "in": "cookie", "name": "clipfeed_access",
          "description": """
          The same in a browser, where no script can read it. Over https its name is `__Secure-clipfeed_access`.
          """,
        ],
        "guest": [
          "type": "apiKey", "in": "cookie", "name": "clipfeed_guest",
          "description": """
          A browser's guest. The server gives it out with the first thing that is written. Over https its name is \
          `__Host-clipfeed_guest`.
          """,
        ],
      ],
    ],
  ]

  private static let tags: [(name: String, about: String)] = [
    ("feed", "Clips to watch"), ("comments", "What people say about clips"),
    ("social", "Likes, bookmarks, follows and shares"), ("profiles", "People who make clips"),
    ("messages", "What two people write to each other"),
    ("search", "Clips, people and tags by words"), ("watching", "What was watched"),
    ("live", "What happens, as it happens"),
    ("uploads", "Files on their way to be clips"), ("captions", "What is said in clips, to read"),
    ("accounts", "Accounts, sessions and passwords"),
    ("exports", "What an account takes along: an archive of all that is kept of it"),
    ("generation", "Clips from words"),
    ("webhooks", "Addresses that hear of what happens, and what providers let us hear"),
    ("devices", "Devices that are told of what happens"),
    ("notifications", "What happened to whoever asks, and what they want to hear of"),
  ]

  private static let paths: [JSON.Member] = {
    var order: [String] = []
    var items: [String: [Operation]] = [:]
    for operation in Operation.all {
      if items[operation.route.template] == nil { order.append(operation.route.template) }
      items[operation.route.template, default: []].append(operation)
    }
    return order.map { template in
      JSON.Member(
        template,
        .object(
          (items[template] ?? []).map { JSON.Member($0.method.lowercased(), Self.operation($0)) }))
    }
  }()

  private static func operation(_ operation: Operation) -> JSON {
    var json: JSON = [
      "operationId": .string(operation.id), "tags": [.string(operation.tag)],
      "summary": .string(operation.summary),
    ]
    json = json.with("description", operation.about.map(JSON.string))
    let parameters = pathParameters(of: operation.route) + operation.parameters
    if !parameters.isEmpty { json = json.with("parameters", .array(parameters.map(parameter))) }
    if !operation.bodies.isEmpty { json = json.with("requestBody", body(operation)) }
    json = json.with("responses", .object(responses(operation)))
    let account: [JSON] = [["bearer": []], ["session": []]]
    let security: [JSON] =
      switch operation.access {
      case .unasked, .anybody, .contributors: account + [["guest": []], [:]]
      case .viewers: account + [["guest": []]]
      case .accounts, .members, .moderators: account
      // It is not described here.
      case .key: []
      }
    return json.with("security", .array(security))
  }

  private static func pathParameters(of route: Route) -> [Operation.Parameter] {
    route.template.split(separator: "/").filter { $0.hasPrefix("{") }.map { word in
      let name = String(word.dropFirst().dropLast())
      let note =
        switch name {
        case "language": Note("BCP 47, such as en, pt-BR or zh-Hant.")
        case "handle": Note("Without `@`.", spelling: Note.handleSpelling)
        case "token": Note("As it stands in the link that was sent.", spelling: Note.linkToken)
        default: Note(spelling: Note.id)
        }
      return .init(name: name, place: .path, note: note, isRequired: true)
    }
  }

  /// A tag of BCP 47, as it mostly is: language, script, region.
  private static let languagePattern = "^[a-z]{2}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$"

  private static func parameter(_ parameter: Operation.Parameter) -> JSON {
    var schema = json(parameter.schema, parameter.note)
    if parameter.place == .path, parameter.note.spelling == nil {
      schema = schema.with("pattern", .string(languagePattern))
    }
    let json: JSON = [
      "name": .string(parameter.name), "in": .string(parameter.place.rawValue),
      "required": .bool(parameter.isRequired),
    ]
    return json.with("description", parameter.note.about.map(JSON.string)).with("schema", schema)
  }

  private static func body(_ operation: Operation) -> JSON {
    [
      "required": .bool(operation.needsBody),
      "content": .object(
        operation.bodies.map { body in
          JSON.Member(
            body.mediaType,
            body.content.map { ["schema": json($0.schema)] }
              ?? ["schema": opaque(body.mediaType)])
        }),
    ]
  }

  /// Of a body that is read as it came. What is JSON is somebody else's object.
  private static func opaque(_ mediaType: String) -> JSON {
    mediaType == "application/json"
      ? ["type": "object"] : ["type": "string", "contentMediaType": .string(mediaType)]
  }

  // MARK: Responses

  private static func responses(_ operation: Operation) -> [JSON.Member] {
    let answers = operation.answers.map { answer in
      JSON.Member(String(answer.status), response(answer, operation))
    }
    let problems = operation.problems.map { problem in
      JSON.Member(String(problem.status), response(problem.status, problem.codes, operation))
    }
    return answers + problems
  }

  private static func headers(_ headers: [Operation.Header], retry: Bool = false) -> JSON {
    var all: [JSON.Member] = [.init("X-Request-Id", reference("headers", "RequestId"))]
    if retry { all.append(.init("Retry-After", reference("headers", "RetryAfter"))) }
    all += headers.map { header in
      .init(
        header.name,
        [
          "description": .string(header.about), "required": .bool(header.isRequired),
          "schema": json(header.schema),
        ])
    }
    return .object(all)
  }

  private static func response(_ answer: Operation.Answer, _ operation: Operation) -> JSON {
    let json: JSON = ["description": .string(answer.meaning), "headers": headers(answer.headers)]
    let content = answer.content.map { content -> JSON in
      let schema = Self.json(content.schema)
      return answer.isStream
        ? ["text/event-stream": ["schema": event(of: schema)]] : ["application/json": ["schema": schema]]
    }
    let bytes = answer.mediaType.map { JSON.object([.init($0, ["schema": opaque($0)])]) }
    return json.with("content", content ?? bytes)
      .with("links", answer.links.isEmpty ? nil : .object(answer.links.map(link)))
  }

  /// Of each event of a stream. OpenAPI 3.1 has no word for what a body consists of; tools take the schema of
  /// `text/event-stream` for that.
  private static func event(of data: JSON) -> JSON {
    [
      "type": "object", "required": ["data"],
      "properties": [
        "id": ["type": "string"], "event": ["type": "string"], "retry": ["type": "integer"],
        "data": [
          "type": "string", "contentMediaType": "application/json",
          "contentSchema": ["anyOf": [data, ["type": "object", "maxProperties": 0]]],
        ],
      ],
    ]
  }

  private static func link(_ link: Operation.Link) -> JSON.Member {
    .init(
      "\(link.operation)_by_\(link.parameter)",
      [
        "operationId": .string(link.operation),
        "parameters": .object([.init(link.parameter, .string(link.expression))]),
      ])
  }

  private static func response(_ status: Int, _ codes: [ErrorCode], _ operation: Operation) -> JSON {
    var titles: [String] = []
    for code in codes where !titles.contains(code.title) { titles.append(code.title) }
    let json: JSON = [
      "description": .string(titles.joined(separator: "; ")),
      "headers": headers(
        status == 401
          ? [.init("WWW-Authenticate", "How to say who asks.", isRequired: true)] : [],
        retry: [423, 429, 503, 507].contains(status)),
    ]
    guard operation.method != "HEAD" else { return json }
    let schema: JSON = [
      "allOf": [
        reference("schemas", "Problem"),
        [
          "properties": [
            "status": ["const": .integer(Int64(status))], "code": ["enum": .strings(codes.map(\.rawValue))],
          ]
        ],
      ]
    ]
    return json.with("content", .object([.init(Problem.contentType, ["schema": schema])]))
  }

  // MARK: Schemas

  /// By name. Those of requests take null for what is left out.
  private static let schemas: [JSON.Member] = {
    var shapes: [String: Schema.Shape] = [:]
    var choices: [String: [String]] = [:]
    var asked: Set<String> = []
    func collect(_ schema: Schema, isAsked: Bool) {
      switch schema {
      case .choice(let name, let names) where !name.isEmpty: choices[name] = names
      case .list(let item, _), .map(let item): collect(item, isAsked: isAsked)
      case .object(let shape):
        shapes[shape.name] = shape
        if isAsked { asked.insert(shape.name) }
        for property in shape.properties { collect(property.schema, isAsked: isAsked) }
      default: break
      }
    }
    for operation in Operation.all {
      for body in operation.bodies {
        if let content = body.content { collect(content.schema, isAsked: true) }
      }
      for answer in operation.answers {
        if let content = answer.content { collect(content.schema, isAsked: false) }
      }
    }
    collect(SchemaReader.read(Problem.self), isAsked: false)
    let objects = shapes.values.map { JSON.Member($0.name, object($0, takesNull: asked.contains($0.name))) }
    let enums = choices.map { name, names in
      JSON.Member(name, ["type": "string", "enum": .strings(names)])
    }
    return (objects + enums).sorted { $0.name < $1.name }
  }()

  private static func object(_ shape: Schema.Shape, takesNull: Bool) -> JSON {
    let required = shape.properties.filter { $0.isRequired || $0.note.isAlwaysThere }.map(\.name)
    let json: JSON = ["type": "object"]
    let properties = shape.properties.map { property in
      let isNullable = property.note.isAlwaysThere || takesNull && !property.isRequired
      let value = Self.json(property.schema, property.note)
      return JSON.Member(property.name, isNullable ? nullable(value) : value)
    }
    let needs = shape.needs.map { need -> JSON in
      let then = Self.json(shape.properties.first { $0.name == need.name }?.schema ?? .string)
      return [
        "if": [
          "required": .strings([need.other]),
          "properties": .object([.init(need.other, ["enum": .strings(need.values)])]),
        ],
        "then": ["required": .strings([need.name]), "properties": .object([.init(need.name, then)])],
      ]
    }
    return json.with("required", required.isEmpty ? nil : .strings(required))
      .with("properties", .object(properties)).with("allOf", needs.isEmpty ? nil : .array(needs))
  }

  private static func nullable(_ schema: JSON) -> JSON {
    guard case .object(let members) = schema, case .string(let type)? = schema["type"], schema["enum"] == nil
    else { return ["anyOf": [schema, ["type": "null"]]] }
    return .object(
      members.map { $0.name == "type" ? .init("type", [.string(type), "null"]) : $0 })
  }

  private static func json(_ schema: Schema, _ note: Note = Note()) -> JSON {
    let about = note.about.map(JSON.string)
    let (low, high) = (note.range?.lowerBound, note.range?.upperBound)
    func number(_ value: Int?) -> JSON? { value.map { .integer(Int64($0)) } }
    let json: JSON
    switch schema {
    case .string:
      json = (["type": "string"] as JSON)
        .with("minLength", number(low)).with("maxLength", number(high))
        .with("pattern", note.spelling.map { .string($0.pattern) })
    case .instant: json = ["type": "string", "format": "date-time"]
    case .integer:
      json = (["type": "integer", "format": "int64"] as JSON)
        .with("minimum", number(low)).with("maximum", number(high))
    case .number:
      json = (["type": "number"] as JSON)
        .with("minimum", number(low)).with("maximum", number(high))
    case .boolean: json = ["type": "boolean"]
    case .choice(let name, let choices):
      json = name.isEmpty ? ["type": "string", "enum": .strings(choices)] : reference("schemas", name)
    case .list(let item, let itemNote):
      json = (["type": "array"] as JSON).with("items", Self.json(item, itemNote))
        .with("minItems", number(low)).with("maxItems", number(high))
    case .map(let item): json = ["type": "object", "additionalProperties": Self.json(item)]
    case .object(let shape): json = reference("schemas", shape.name)
    }
    return json.with("description", about)
  }

  private static func reference(_ kind: String, _ name: String) -> JSON {
    ["$ref": .string("#/components/\(kind)/\(name)")]
  }
}
