// The OpenSSL headers, and a function for each macro that Swift cannot import.
// One owner per pointer: nothing here takes or gives ownership unless its name says so.
#ifndef PINDRILL_COPENSSL_SHIM_H
#define PINDRILL_COPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#if OPENSSL_VERSION_NUMBER < 0x30000000L
#error "PinDrill needs OpenSSL 3.0 or newer (Debian: libssl-dev, Homebrew: openssl@3)"
#endif

// SSL_CTX and SSL settings that are macros over *_ctrl.

static inline int pd_ctx_set_versions(SSL_CTX *ctx, int lowest, int highest) {
    return SSL_CTX_set_min_proto_version(ctx, lowest) && SSL_CTX_set_max_proto_version(ctx, highest);
}

static inline int pd_ssl_set_version(SSL *ssl, int version) {
    return SSL_set_min_proto_version(ssl, version) && SSL_set_max_proto_version(ssl, version);
}

static inline void pd_ctx_set_mode(SSL_CTX *ctx, long mode) { (void)SSL_CTX_set_mode(ctx, mode); }

static inline void pd_ctx_switch_session_cache_off(SSL_CTX *ctx) {
    (void)SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
    (void)SSL_CTX_set_options(ctx, SSL_OP_NO_TICKET);
    (void)SSL_CTX_set_num_tickets(ctx, 0);
}

static inline int pd_ctx_set_groups(SSL_CTX *ctx, const char *list) { return (int)SSL_CTX_set1_groups_list(ctx, list); }

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

static inline void pd_bio_reset(BIO *bio) { (void)BIO_reset(bio); }

// Keys.

static inline EVP_PKEY *pd_new_ec_key(const char *curve) { return EVP_EC_gen(curve); }
static inline EVP_PKEY *pd_new_rsa_key(unsigned int bits) { return EVP_RSA_gen(bits); }
static inline EVP_PKEY *pd_new_ed25519_key(void) { return EVP_PKEY_Q_keygen(NULL, NULL, "ED25519"); }

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
