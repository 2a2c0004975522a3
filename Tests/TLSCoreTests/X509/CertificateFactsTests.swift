import TLSCore
import TestSupport
import Testing

@Suite struct `Facts of a certificate` {
    @Test(
        arguments: [
            (.p256, 256, "prime256v1"), (.p384, 384, "secp384r1"), (.p521, 521, "secp521r1"), (.rsa2048, 2048, nil),
            (.rsa1024, 1024, nil),
        ] as [(KeyType, Int, String?)]
    )
    func `tell the kind of key`(type: KeyType, bits: Int, curve: String?) throws {
        let identity = try Sample.issuing.identity(Sample.leaf(), key: Sample.key(type))

        #expect(identity.leaf.keyBits == bits)
        #expect(identity.leaf.keyCurve == curve)
    }

    @Test(arguments: [KeyType.p256, .p384, .rsa2048])
    func `give the end of the public key`(type: KeyType) throws {
        let leaf = try Sample.issuing.identity(Sample.leaf(), key: Sample.key(type)).leaf

        #expect(leaf.publicKeyBits.count > 64)
        #expect(leaf.publicKey.suffix(leaf.publicKeyBits.count) == leaf.publicKeyBits[...])
    }

    @Test(
        arguments: [
            (.sha256, false), (.sha384, false), (.sha512, false), (.sha1, true),
        ] as [(CertificateTemplate.Digest, Bool)]
    )
    func `tell a digest that can be forged`(digest: CertificateTemplate.Digest, isWeak: Bool) throws {
        let leaf = try Sample.issuing.identity(Sample.leaf { $0.digest = digest }, key: PrivateKey()).leaf

        #expect(leaf.hasWeakSignature == isWeak)
    }

    @Test(
        arguments: [
            ([CertificateTemplate.serverAuthentication], true), ([CertificateTemplate.clientAuthentication], false),
            ([CertificateTemplate.clientAuthentication, CertificateTemplate.serverAuthentication], true), ([], false),
        ]
    )
    func `tell whether servers are named`(usages: [String], isNamed: Bool) throws {
        let leaf = try Sample.issuing.identity(Sample.leaf { $0.extendedKeyUsage = usages }, key: PrivateKey()).leaf

        #expect(leaf.namesServerAuthentication == isNamed)
    }
}
