// What a static executable needs in place of parts of its libraries. Nothing may be loaded from the machine it runs on:
// that would bring a second C library, of another version.

#include <errno.h>
#include <iconv.h>
#include <netdb.h>
#include <nss.h>
#include <stddef.h>

// libgcc would sort every frame description at the start, 40 to 90 ms. Without them it searches the linker's sorted table.
void __wrap___register_frame_info(const void *frames, void *object) {
    (void)frames;
    (void)object;
}

void *__wrap___deregister_frame_info(const void *frames) {
    (void)frames;
    return NULL;
}

void *__real_dlopen(const char *name, int flags);

// Only the program itself. OpenSSL then says that it has no such provider.
void *__wrap_dlopen(const char *name, int flags) { return name ? NULL : __real_dlopen(name, flags); }

// glibc loads a module for each encoding but the few that it has built in.
iconv_t __wrap_iconv_open(const char *to, const char *from) {
    (void)to;
    (void)from;
    errno = EINVAL;
    return (iconv_t)-1;
}

// The two sources of names that glibc has built in (nsswitch.conf(5)).
__attribute__((constructor)) static void use_names_that_are_built_in(void) {
    __nss_configure_lookup("hosts", "files dns");
    for (const char *const *database = (const char *const[]){"passwd", "group", "services", NULL}; *database; database++)
        __nss_configure_lookup(*database, "files");
}

// What libxml2 calls for encodings beside UTF, Latin-1 and ASCII (ICU) and for packed files (zlib, liblzma), which are
// never given to it. It takes these answers for "there is no such converter" and "this is no packed file".

#define JOINED(name, version) name##_##version
#define VERSIONED(name, version) JOINED(name, version)
#define ICU(name) VERSIONED(name, ICU_VERSION)

void *ICU(ucnv_open)(const char *name, int *status) {
    (void)name;
    *status = 4; // U_FILE_ACCESS_ERROR of unicode/utypes.h
    return NULL;
}

void ICU(ucnv_close)(void) {}
void ICU(ucnv_convertEx)(void) {}
void ICU(ucnv_setFromUCallBack)(void) {}
void ICU(ucnv_setToUCallBack)(void) {}
void ICU(UCNV_FROM_U_CALLBACK_STOP)(void) {}
void ICU(UCNV_TO_U_CALLBACK_STOP)(void) {}

void *__libxml2_xzopen(void) { return NULL; }
void *__libxml2_xzdopen(void) { return NULL; }
int __libxml2_xzread(void) { return -1; }
int __libxml2_xzclose(void) { return -1; }
int __libxml2_xzcompressed(void) { return 0; }

void *gzopen(void) { return NULL; }
void *gzopen64(void) { return NULL; }
void *gzdopen(void) { return NULL; }
int gzread(void) { return -1; }
int gzwrite(void) { return 0; }
int gzclose(void) { return -1; }
int gzdirect(void) { return 1; }
int deflate(void) { return -2; } // Z_STREAM_ERROR
int deflateInit2_(void) { return -2; }
int deflateEnd(void) { return -2; }
int inflate(void) { return -2; }
int inflateInit2_(void) { return -2; }
int inflateReset(void) { return -2; }
int inflateEnd(void) { return -2; }
unsigned long crc32(void) { return 0; }
