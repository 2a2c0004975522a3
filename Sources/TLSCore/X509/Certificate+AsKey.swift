import COpenSSL

extension Certificate {
    /// The same name and key, and nothing else, for a stack that looks at nothing else of an anchor. Nobody has signed it, and
    /// nobody asks.
    ///
    /// - Parameter limited: whether its dates and its constraints on names count as well.
    func asKey(limited: Bool = false) -> Certificate? {
        let kept = limited ? [NID_subject_key_identifier, NID_name_constraints] : [NID_subject_key_identifier]
        guard let copy = X509_dup(x509.pointer) else { return nil }
        for index in (0..<X509_get_ext_count(copy)).reversed() {
            let kind = OBJ_obj2nid(X509_EXTENSION_get_object(X509_get_ext(copy, index)))
            if !kept.contains(kind) { X509_EXTENSION_free(X509_delete_ext(copy, index)) }
        }
        X509_set_version(copy, Int(X509_VERSION_3))
        if !limited {
            // 1970 to 9999.
            ASN1_TIME_set(X509_getm_notBefore(copy), 0)
            ASN1_TIME_set(X509_getm_notAfter(copy), 253_402_300_799)
        }
        if let constraints = BASIC_CONSTRAINTS_new() {
            constraints.pointee.ca = 0xFF
            X509_add1_ext_i2d(copy, NID_basic_constraints, constraints, 1, 0)
            BASIC_CONSTRAINTS_free(constraints)
        }
        // What was read is forgotten, or it would be written again.
        i2d_re_X509_tbs(copy, nil)
        return Certificate(owning: copy)
    }
}
