// The OpenSSL headers, and a function for each macro that Swift cannot import.
// One owner per pointer: nothing here takes or gives ownership unless its name says so.
#ifndef PINDRILL_COPENSSL_SHIM_H
#define PINDRILL_COPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/ocsp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <string.h>

#if OPENSSL_VERSION_NUMBER < 0x30000000L
#error "PinDrill needs OpenSSL 3.0 or newer (Debian: libssl-dev, Homebrew: openssl@3)"
#endif

// SSL_CTX and SSL settings that are macros over *_ctrl.

static inline int pd_ctx_set_versions(SSL_CTX *ctx, int lowest, int highest) {
    return SSL_CTX_set_min_proto_version(ctx, lowest) && SSL_CTX_set_max_proto_version(ctx, highest);
}

static inline int pd_ssl_set_versions(SSL *ssl, int lowest, int highest) {
    return SSL_set_min_proto_version(ssl, lowest) && SSL_set_max_proto_version(ssl, highest);
}

static inline void pd_ctx_allow_certificates(SSL_CTX *ctx, long bytes) { (void)SSL_CTX_set_max_cert_list(ctx, bytes); }
static inline void pd_ctx_set_mode(SSL_CTX *ctx, long mode) { (void)SSL_CTX_set_mode(ctx, mode); }

static inline void pd_ctx_switch_session_cache_off(SSL_CTX *ctx) {
    (void)SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
    (void)SSL_CTX_set_options(ctx, SSL_OP_NO_TICKET);
    (void)SSL_CTX_set_num_tickets(ctx, 0);
}

// Who keeps them is asked by callbacks: OpenSSL itself keeps none.
static inline void pd_ctx_call_back_for_sessions(SSL_CTX *ctx) {
    (void)SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_SERVER | SSL_SESS_CACHE_NO_INTERNAL);
}

static inline void pd_ssl_allow_session_ids(SSL *ssl) { (void)SSL_set_num_tickets(ssl, 2); }

// A client may send the same early data twice (RFC 8446 section 8): it is told nothing but what it asked for.
static inline void pd_ssl_take_early_data(SSL *ssl) {
    (void)SSL_set_options(ssl, SSL_OP_NO_ANTI_REPLAY);
    (void)SSL_set_max_early_data(ssl, 16384);
}

static inline void pd_ssl_allow_tickets(SSL *ssl) {
    (void)SSL_clear_options(ssl, SSL_OP_NO_TICKET);
    (void)SSL_set_num_tickets(ssl, 2);
}

#define PD_TICKET_KEYS_LENGTH 80

// What `SSL_CTX_set_tlsext_ticket_key_evp_cb(3)` asks for; `keys` is a name of 16 bytes and two keys of 32.
static inline int pd_ticket_prepare(const unsigned char *keys, unsigned char *name, unsigned char *vector,
                                    EVP_CIPHER_CTX *cipher, EVP_MAC_CTX *mac, int is_new) {
    OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, (void *)(keys + 48), 32),
                           OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA256", 0),
                           OSSL_PARAM_construct_end()};
    if (is_new) {
        memcpy(name, keys, 16);
        if (RAND_bytes(vector, 16) != 1) return -1;
    } else if (memcmp(name, keys, 16) != 0) {
        return 0;
    }
    return EVP_CipherInit_ex(cipher, EVP_aes_256_cbc(), NULL, keys + 16, vector, is_new) == 1 &&
                   EVP_MAC_CTX_set_params(mac, params) == 1
               ? 1
               : -1;
}

static inline int pd_ctx_set_groups(SSL_CTX *ctx, const char *list) { return (int)SSL_CTX_set1_groups_list(ctx, list); }

static inline void pd_ssl_set_dh_auto(SSL *ssl, int how) { (void)SSL_set_dh_auto(ssl, how); }

static inline int pd_ssl_set_groups(SSL *ssl, const char *list) { return (int)SSL_set1_groups_list(ssl, list); }

static inline int pd_ssl_set_server_name(SSL *ssl, const char *name) {
    return (int)SSL_set_tlsext_host_name(ssl, name);
}

static inline int pd_ssl_new_index(void) {
    return CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL, 0, NULL, NULL, NULL, NULL);
}

// The peer's own certificate, owned by the caller.
static inline X509 *pd_ssl_take_peer_certificate(const SSL *ssl) { return SSL_get1_peer_certificate(ssl); }

// Memory BIOs.

static inline long pd_bio_peek(BIO *bio, const unsigned char **bytes) {
    return BIO_get_mem_data(bio, (char **)bytes);
}

static inline void pd_bio_forget_retry(BIO *bio) { BIO_clear_retry_flags(bio); }
static inline void pd_bio_retry_reading(BIO *bio) { BIO_set_retry_read(bio); }

// Keys.

static inline EVP_PKEY *pd_new_ec_key(const char *curve) { return EVP_EC_gen(curve); }
static inline EVP_PKEY *pd_new_rsa_key(unsigned int bits) { return EVP_RSA_gen(bits); }
static inline EVP_PKEY *pd_new_edwards_key(const char *name) { return EVP_PKEY_Q_keygen(NULL, NULL, name); }

// The same key in the form that OpenSSL had before 3.0, owned by the caller; NULL where it has none.
static inline EVP_PKEY *pd_legacy_key(EVP_PKEY *key) {
#ifdef OPENSSL_NO_DEPRECATED_3_0
    return NULL;
#else
    EVP_PKEY *legacy = EVP_PKEY_new();
    int is_made = 0;
    if (legacy && EVP_PKEY_get_base_id(key) == EVP_PKEY_EC) {
        EC_KEY *ec = EVP_PKEY_get1_EC_KEY(key);
        is_made = ec && EVP_PKEY_assign_EC_KEY(legacy, ec);
        if (!is_made) EC_KEY_free(ec);
    } else if (legacy && EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA) {
        RSA *rsa = EVP_PKEY_get1_RSA(key);
        is_made = rsa && EVP_PKEY_assign_RSA(legacy, rsa);
        if (!is_made) RSA_free(rsa);
    }
    if (is_made) return legacy;
    EVP_PKEY_free(legacy);
    return NULL;
#endif
}

// A key with this public half and another private one, owned by the caller. OpenSSL compares public halves only.
static inline EVP_PKEY *pd_pretended_key(EVP_PKEY *key) {
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    const char *type = EVP_PKEY_get0_type_name(key);
    EVP_PKEY *other = NULL, *made = NULL;
    BIGNUM *first = NULL, *second = NULL;
    unsigned char *point = NULL, secret[66] = {1};
    OSSL_PARAM *params = NULL;
    char group[64];
    int is_filled = 0;
    if (build && EVP_PKEY_is_a(key, "RSA")) {
        // Any odd number will do for a private exponent; without primes nothing is checked by them.
        is_filled = EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_N, &first) &&
                    EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_E, &second) &&
                    OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, first) &&
                    OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, second) &&
                    OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_D, first);
    } else if (build && EVP_PKEY_is_a(key, "EC") &&
               EVP_PKEY_get_utf8_string_param(key, OSSL_PKEY_PARAM_GROUP_NAME, group, sizeof group, NULL)) {
        size_t count = EVP_PKEY_get1_encoded_public_key(key, &point);
        other = EVP_EC_gen(group);
        is_filled = count && other && EVP_PKEY_get_bn_param(other, OSSL_PKEY_PARAM_PRIV_KEY, &first) &&
                    OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, group, 0) &&
                    OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point, count) &&
                    OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_PRIV_KEY, first);
    } else if (build) {
        size_t count = 0;
        is_filled = EVP_PKEY_get_raw_public_key(key, NULL, &count) && count <= sizeof secret &&
                    (point = OPENSSL_malloc(count)) && EVP_PKEY_get_raw_public_key(key, point, &count) &&
                    OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point, count) &&
                    OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PRIV_KEY, secret, count);
    }
    params = is_filled ? OSSL_PARAM_BLD_to_param(build) : NULL;
    EVP_PKEY_CTX *context = params ? EVP_PKEY_CTX_new_from_name(NULL, type, NULL) : NULL;
    if (context && EVP_PKEY_fromdata_init(context) == 1) {
        (void)EVP_PKEY_fromdata(context, &made, EVP_PKEY_KEYPAIR, params);
    }
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(params);
    OSSL_PARAM_BLD_free(build);
    OPENSSL_free(point);
    BN_free(first);
    BN_free(second);
    EVP_PKEY_free(other);
    return made;
}

// Answers about certificates.

// Writes a response about one certificate and returns its length; the caller frees the bytes.
static inline int pd_ocsp_response(X509 *leaf, X509 *issuer, EVP_PKEY *key, const EVP_MD *digest, int status,
                                   time_t begin, time_t end, unsigned char **bytes) {
    OCSP_BASICRESP *basic = OCSP_BASICRESP_new();
    OCSP_CERTID *about = OCSP_cert_to_id(EVP_sha1(), leaf, issuer);
    ASN1_TIME *from = ASN1_GENERALIZEDTIME_set(NULL, begin), *to = ASN1_GENERALIZEDTIME_set(NULL, end);
    ASN1_TIME *when = status == V_OCSP_CERTSTATUS_REVOKED ? from : NULL;
    OCSP_RESPONSE *response = NULL;
    int count = 0;
    if (basic && about && from && to &&
        OCSP_basic_add1_status(basic, about, status, OCSP_REVOKED_STATUS_KEYCOMPROMISE, when, from, to) &&
        OCSP_basic_sign(basic, issuer, key, digest, NULL, OCSP_NOCERTS)) {
        response = OCSP_response_create(OCSP_RESPONSE_STATUS_SUCCESSFUL, basic);
        if (response) count = i2d_OCSP_RESPONSE(response, bytes);
    }
    OCSP_RESPONSE_free(response);
    OCSP_BASICRESP_free(basic);
    OCSP_CERTID_free(about);
    ASN1_TIME_free(from);
    ASN1_TIME_free(to);
    return count;
}

static inline void pd_ctx_answer_status(SSL_CTX *ctx, int (*callback)(SSL *, void *)) {
    (void)SSL_CTX_set_tlsext_status_cb(ctx, callback);
}

// A copy of the response goes out with the handshake.
static inline int pd_ssl_staple(SSL *ssl, const unsigned char *bytes, long count) {
    unsigned char *copy = OPENSSL_memdup(bytes, (size_t)count);
    return copy && SSL_set_tlsext_status_ocsp_resp(ssl, copy, count) == 1;
}

// Error codes.

// An algorithm that no loaded provider has.
static inline int pd_is_unsupported(unsigned long code) { return ERR_GET_REASON(code) == ERR_R_UNSUPPORTED; }

// The checksum of a PKCS#12 does not fit: the password is wrong.
static inline int pd_is_wrong_mac(unsigned long code) {
    return ERR_GET_LIB(code) == ERR_LIB_PKCS12 && ERR_GET_REASON(code) == PKCS12_R_MAC_VERIFY_FAILURE;
}

// Stacks of certificates.

static inline STACK_OF(X509) *pd_x509_stack_new(void) { return sk_X509_new_null(); }
static inline int pd_x509_stack_push(STACK_OF(X509) *stack, X509 *certificate) {
    return sk_X509_push(stack, certificate);
}
static inline int pd_x509_stack_count(const STACK_OF(X509) *stack) { return stack ? sk_X509_num(stack) : 0; }
static inline X509 *pd_x509_stack_at(const STACK_OF(X509) *stack, int index) { return sk_X509_value(stack, index); }
// Frees the stack; the certificates stay with their owners.
static inline void pd_x509_stack_free(STACK_OF(X509) *stack) { sk_X509_free(stack); }
// Frees the stack and one reference to each certificate in it.
static inline void pd_x509_stack_free_all(STACK_OF(X509) *stack) { sk_X509_pop_free(stack, X509_free); }

// General names, as they stand in a subject alternative name.

static inline int pd_general_names_count(const GENERAL_NAMES *names) {
    return names ? sk_GENERAL_NAME_num(names) : 0;
}
static inline const GENERAL_NAME *pd_general_name_at(const GENERAL_NAMES *names, int index) {
    return sk_GENERAL_NAME_value(names, index);
}

// RFC 2253, but UTF-8 stays as it is: the plain flag would escape every byte above 127.
static inline int pd_print_name(BIO *bio, const X509_NAME *name) {
    return X509_NAME_print_ex(bio, name, 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB);
}

static inline void pd_free(void *memory) { OPENSSL_free(memory); }

#endif
