import StoryAPI
import StoryServer
import TestSupport

/// A client that is signed in to one of the servers of the contract, with faults in between.
struct ContractClient {
  /// The embedded server, or the proxy in front of a Kinto.
  let server: StoryServer
  let client: APIClient

  init(_ kind: ContractServer) throws {
    var options = ServerOptions()
    options.api = kind.api
    options.requestLogSize = 1_000
    options.passwordCost = 1
    if kind.isKinto { options.stand(before: try KintoRelay(kind.nodes())) }
    server = try StoryServer(options: options)
    try server.start()
    let session =
      kind.isKinto
      ? Session(name: KintoServer.user, password: Secret(KintoServer.password))
      : Session(token: Secret(try server.issueToken(email: ServedClient.email).token))
    let bucket = kind.isKinto ? "/v1/buckets/\(KintoServer.newName("b"))" : ""
    client = APIClient(
      server: try ServerAddress(server.url + bucket),
      configuration: ClientConfiguration(
        dialect: kind.isKinto ? .kinto : Dialect(rawValue: kind.api.rawValue), time: .unwaiting),
      session: session)
  }
}
