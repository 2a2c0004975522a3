// What a chain's verification costs in C, with nothing around it: the least that any evaluation of trust can take.
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

// A parsed certificate; NULL where the DER is none.
static inline X509 *bare_certificate(const unsigned char *der, long length) { return d2i_X509(NULL, &der, length); }

static inline STACK_OF(X509) *bare_stack(void) { return sk_X509_new_null(); }

static inline void bare_push(STACK_OF(X509) *stack, X509 *certificate) { sk_X509_push(stack, certificate); }

// 1 where the chain is trusted, checked as PinDrill has it checked: purpose, name, time and strength.
static inline int bare_verify(X509_STORE *store, X509 *leaf, STACK_OF(X509) *others, const char *host, time_t at) {
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    int verified = 0;
    if (X509_STORE_CTX_init(context, store, leaf, others) == 1 && X509_STORE_CTX_set_default(context, "ssl_server")) {
        X509_VERIFY_PARAM *parameters = X509_STORE_CTX_get0_param(context);
        X509_VERIFY_PARAM_set_flags(parameters, X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_TRUSTED_FIRST);
        X509_VERIFY_PARAM_set_time(parameters, at);
        X509_VERIFY_PARAM_set1_host(parameters, host, 0);
        X509_VERIFY_PARAM_set_auth_level(parameters, 2);
        verified = X509_verify_cert(context) == 1;
    }
    X509_STORE_CTX_free(context);
    return verified;
}
