#if canImport(Security)
  import CryptoKit
  import Foundation
  import Security

  /// A server's key in the form of a pin.
  enum ServerKey {
    /// Returns the digests of the keys in a certificate chain, or `nil` if it is not trusted.
    static func digests(of trust: SecTrust) -> Set<String>? {
      guard SecTrustEvaluateWithError(trust, nil),
        let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
      else { return nil }
      return Set(chain.compactMap(SecCertificateCopyKey).compactMap(digest))
    }

    /// Returns the base64 SHA-256 of a key's SubjectPublicKeyInfo (RFC 5280, section 4.1.2.7).
    ///
    /// Security provides only the bare key, so its algorithm identifier is added: for RSA from RFC
    /// 3279, section 2.3.1, for elliptic curves from RFC 5480, section 2.1.1.
    private static func digest(of key: SecKey) -> String? {
      guard let bare = SecKeyCopyExternalRepresentation(key, nil) as Data?,
        let attributes = SecKeyCopyAttributes(key) as? [CFString: Any],
        let type = attributes[kSecAttrKeyType] as? String,
        let size = attributes[kSecAttrKeySizeInBits] as? Int
      else { return nil }
      let algorithm: [UInt8]
      switch (type, size) {
      case (kSecAttrKeyTypeRSA as String, _):
        algorithm = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00]
      case (kSecAttrKeyTypeECSECPrimeRandom as String, 256):
        algorithm =
          [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
          + [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
      case (kSecAttrKeyTypeECSECPrimeRandom as String, 384):
        algorithm =
          [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
          + [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]
      default: return nil
      }
      let info = der(0x30, der(0x30, algorithm) + der(0x03, [0x00] + Array(bare)))
      return Data(SHA256.hash(data: info)).base64EncodedString()
    }

    /// Returns a value after its tag and length (ITU-T X.690, sections 8.1.2 and 8.1.3).
    private static func der(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
      var length: [UInt8] = []
      var rest = content.count
      if rest < 0x80 {
        length = [UInt8(rest)]
      } else {
        while rest > 0 {
          length.insert(UInt8(rest & 0xFF), at: 0)
          rest >>= 8
        }
        length.insert(0x80 | UInt8(length.count), at: 0)
      }
      return [tag] + length + content
    }
  }
#endif
