#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

/* The curve P-256, whose functions are macros or take lists of any length, which Swift cannot call. Keys are bytes: a
   private one 32, a public one 65 (uncompressed, SEC 1 2.3.3). Each function answers 1, or 0 where libcrypto refuses. */

/* A key of these bytes; `priv` may be NULL. */
static inline EVP_PKEY *mesh_p256_key(const unsigned char *pub, const unsigned char *priv) {
    EVP_PKEY *key = NULL;
    BIGNUM *number = NULL;
    OSSL_PARAM *list = NULL;
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    int is_ready = build != NULL && context != NULL
        && OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0) == 1
        && OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, pub, 65) == 1;
    if (is_ready && priv != NULL) {
        number = BN_secure_new();
        is_ready = number != NULL && BN_bin2bn(priv, 32, number) != NULL
            && OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_PRIV_KEY, number) == 1;
    }
    if (is_ready) list = OSSL_PARAM_BLD_to_param(build);
    if (list == NULL || EVP_PKEY_fromdata_init(context) != 1
        || EVP_PKEY_fromdata(context, &key, priv == NULL ? EVP_PKEY_PUBLIC_KEY : EVP_PKEY_KEYPAIR, list) != 1)
        key = NULL;
    OSSL_PARAM_free(list);
    BN_clear_free(number);
    OSSL_PARAM_BLD_free(build);
    EVP_PKEY_CTX_free(context);
    return key;
}

static inline int mesh_p256_generate(unsigned char *pub, unsigned char *priv) {
    EVP_PKEY *key = EVP_EC_gen("P-256");
    BIGNUM *number = NULL;
    size_t count = 0;
    int is_done = key != NULL
        && EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, pub, 65, &count) == 1 && count == 65
        && EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1
        && BN_bn2binpad(number, priv, 32) == 32;
    BN_clear_free(number);
    EVP_PKEY_free(key);
    return is_done;
}

/* ECDH: the secret that `priv` and the key of somebody else have in common, 32 bytes. */
static inline int mesh_p256_agree(
    const unsigned char *priv, const unsigned char *pub, const unsigned char *peer, unsigned char *secret) {
    EVP_PKEY *own = mesh_p256_key(pub, priv);
    EVP_PKEY *other = mesh_p256_key(peer, NULL);
    EVP_PKEY_CTX *context = own == NULL ? NULL : EVP_PKEY_CTX_new(own, NULL);
    size_t count = 32;
    int is_done = other != NULL && context != NULL && EVP_PKEY_derive_init(context) == 1
        && EVP_PKEY_derive_set_peer(context, other) == 1
        && EVP_PKEY_derive(context, secret, &count) == 1 && count == 32;
    EVP_PKEY_CTX_free(context);
    EVP_PKEY_free(other);
    EVP_PKEY_free(own);
    return is_done;
}

/* ECDSA with SHA-256, as 64 bytes: r, then s (RFC 7518 3.4). */
static inline int mesh_p256_sign(
    const unsigned char *priv, const unsigned char *pub, const unsigned char *message, size_t length,
    unsigned char *signature) {
    EVP_PKEY *key = mesh_p256_key(pub, priv);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    unsigned char der[80];
    size_t count = sizeof der;
    const unsigned char *start = der;
    ECDSA_SIG *pair = NULL;
    int is_done = key != NULL && context != NULL
        && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) == 1
        && EVP_DigestSign(context, der, &count, message, length) == 1
        && (pair = d2i_ECDSA_SIG(NULL, &start, (long)count)) != NULL
        && BN_bn2binpad(ECDSA_SIG_get0_r(pair), signature, 32) == 32
        && BN_bn2binpad(ECDSA_SIG_get0_s(pair), signature + 32, 32) == 32;
    ECDSA_SIG_free(pair);
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    return is_done;
}

/* AES-128-GCM: what is sealed, with its tag of 16 bytes behind it. */
static inline int mesh_aes128gcm_seal(
    const unsigned char *key, const unsigned char *nonce, const unsigned char *text, int length,
    unsigned char *sealed) {
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int count = 0, rest = 0;
    int is_done = context != NULL
        && EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), NULL, key, nonce) == 1
        && EVP_EncryptUpdate(context, sealed, &count, text, length) == 1
        && EVP_EncryptFinal_ex(context, sealed + count, &rest) == 1 && count + rest == length
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, sealed + length) == 1;
    EVP_CIPHER_CTX_free(context);
    return is_done;
}
