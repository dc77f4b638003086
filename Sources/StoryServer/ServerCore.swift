/// What the threads of a server share.
final class ServerCore: Sendable {
  let options: ServerOptions
  let service: Service
  let connections = ConnectionRegistry()
  let faults = FaultBoard()
  let log: RequestLog

  init(options: ServerOptions, service: Service) {
    self.options = options
    self.service = service
    log = RequestLog(size: options.requestLogSize)
  }
}
