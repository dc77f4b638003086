/// What the threads of a server share.
final class ServerCore: Sendable {
  let options: ServerOptions
  let service: Service
  let connections = ConnectionRegistry()
  let hook: Monitor<(any ServerHook)?>

  init(options: ServerOptions, service: Service) {
    self.options = options
    self.service = service
    hook = Monitor(options.hook)
  }
}
