#if canImport(Security)
  import Foundation
  import JSONText
  import Security

  /// Stores sessions in the system's keychain, as generic passwords of the service `stories` with
  /// the server's origin as the account.
  public struct KeychainTokenStore: TokenStore {
    private let service: String

    /// Creates a store for this user's keychain. Services do not share sessions.
    public init(service: String = "stories") { self.service = service }

    /// Returns the session for a server.
    ///
    /// - Throws: `TokenStoreError.system` if the keychain refuses, `damaged` if its data is
    ///   invalid.
    public func session(for server: ServerAddress) async throws(TokenStoreError) -> Session? {
      var query = item(server)
      query[kSecReturnData] = true
      query[kSecMatchLimit] = kSecMatchLimitOne
      var result: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &result)
      if status == errSecItemNotFound { return nil }
      guard status == errSecSuccess, let data = result as? Data else { throw failure(status) }
      guard let json = try? JSONValue(parsing: Array(data)), let session = Session(json: json)
      else {
        throw .damaged(path: "keychain", why: "the session for \(server.origin) is incomplete")
      }
      return session
    }

    /// Stores a session on this device only.
    ///
    /// - Throws: `TokenStoreError.system` if the keychain refuses.
    public func save(
      _ session: Session, for server: ServerAddress
    ) async throws(TokenStoreError) {
      guard session.isRenewable else { throw .readOnly }
      let data = Data(session.json.compactBytes)
      var status = SecItemUpdate(
        item(server) as CFDictionary, [kSecValueData: data] as CFDictionary)
      if status == errSecItemNotFound {
        var new = item(server)
        new[kSecValueData] = data
        new[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        status = SecItemAdd(new as CFDictionary, nil)
      }
      guard status == errSecSuccess else { throw failure(status) }
    }

    /// Removes a server's session.
    ///
    /// - Throws: `TokenStoreError.system` if the keychain refuses.
    public func remove(for server: ServerAddress) async throws(TokenStoreError) {
      let status = SecItemDelete(item(server) as CFDictionary)
      guard status == errSecSuccess || status == errSecItemNotFound else { throw failure(status) }
    }

    private func item(_ server: ServerAddress) -> [CFString: Any] {
      [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service,
        kSecAttrAccount: server.origin,
      ]
    }

    private func failure(_ status: OSStatus) -> TokenStoreError {
      let text = SecCopyErrorMessageString(status, nil) as String?
      return .system(path: "keychain", why: text ?? "error \(status)")
    }
  }
#endif
