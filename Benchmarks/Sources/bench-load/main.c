// Makes full TLS 1.3 handshakes against one port of 127.0.0.1, the same for every server, and counts what failed.
//
//   bench-load count <port> <group> <same|new> <threads> <connections>
//       Each connection: handshake, one GET /ok, the answer read to its end, close. Prints "<completed> <failed>".
//   bench-load idle <port> <group> <connections>
//       Opens that many connections, says nothing on them, prints "<open> <failed>", and waits for the end of its input.
//   bench-load crowd <port> <group> <connections>
//       Opens that many, and only then asks on each. Prints "<answered> <failed>".
//   bench-load pull <port> <group> <bytes a second, 0: all that comes> <bytes>
//       GET /big on one connection, read up to so many bytes. Prints "<KB read> <milliseconds>".
//   bench-load http2 <port> <group> <connections> <requests>
//       HTTP/2: on each connection in turn so many requests, 64 at a time. Prints "<answered 200> <failed>".
//
// It offers one cipher suite and one group, so every server must choose the same, and never a session to resume.
// It verifies nothing: that is the client's work, and the servers are what is measured.

#include <arpa/inet.h>
#include <limits.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { patience_seconds = 10, most_threads = 256, most_connections = 1000000 };

static const char host[] = "api.acme.example";
static const char request[] = "GET /ok HTTP/1.1\r\nHost: api.acme.example\r\nConnection: close\r\n\r\n";

struct plan {
    uint16_t port;
    const char *group;
    bool has_new_names;
    int connections;
};

static struct plan plan;
static atomic_int next_connection, completed, failed;

static SSL_CTX *new_context(void) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (!context || !SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) ||
        !SSL_CTX_set_ciphersuites(context, "TLS_AES_256_GCM_SHA384") ||
        !SSL_CTX_set1_groups_list(context, plan.group)) {
        fputs("bench-load: OpenSSL refuses the settings\n", stderr);
        exit(70);
    }
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    // Some servers end the stream without close_notify; the length of the answer has been checked by then.
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET | SSL_OP_IGNORE_UNEXPECTED_EOF);
    return context;
}

static int connect_to_server(void) {
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (descriptor < 0) return -1;
    struct timeval patience = {.tv_sec = patience_seconds};
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(plan.port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
    close(descriptor);
    return -1;
}

// A connection after its handshake; NULL, and nothing left open, when it failed. The caller closes the descriptor.
static SSL *shake_hands(SSL_CTX *context, int descriptor, const char *name) {
    SSL *ssl = SSL_new(context);
    if (!ssl) return NULL;
    if (SSL_set_fd(ssl, descriptor) == 1 && SSL_set_tlsext_host_name(ssl, name) == 1 && SSL_connect(ssl) == 1 &&
        !SSL_session_reused(ssl)) {
        return ssl;
    }
    SSL_free(ssl);
    return NULL;
}

// Whether the whole answer came, and was a 200.
static bool ask(SSL *ssl) {
    if (SSL_write(ssl, request, sizeof request - 1) <= 0) return false;
    char answer[4096];
    size_t length = 0;
    int count;
    while ((count = SSL_read(ssl, answer + length, (int)(sizeof answer - length - 1))) > 0) length += (size_t)count;
    answer[length] = 0;
    return SSL_get_error(ssl, count) == SSL_ERROR_ZERO_RETURN && !strncmp(answer, "HTTP/1.1 200", 12) &&
           strstr(answer, "\r\n\r\n");
}

static bool exchange(SSL_CTX *context, int number) {
    char name[64];
    if (plan.has_new_names) snprintf(name, sizeof name, "n%d-%d.acme.example", (int)getpid(), number);
    int descriptor = connect_to_server();
    if (descriptor < 0) return false;
    SSL *ssl = shake_hands(context, descriptor, plan.has_new_names ? name : host);
    bool is_answered = ssl && ask(ssl);
    if (ssl) {
        SSL_shutdown(ssl);
        SSL_free(ssl);
    }
    close(descriptor);
    return is_answered;
}

static void *work(void *unused) {
    (void)unused;
    // One for each thread: its locks would be contended otherwise.
    SSL_CTX *context = new_context();
    for (int number; (number = atomic_fetch_add(&next_connection, 1)) < plan.connections;) {
        atomic_fetch_add(exchange(context, number) ? &completed : &failed, 1);
    }
    SSL_CTX_free(context);
    return NULL;
}

static void count_handshakes(int threads) {
    pthread_t workers[most_threads];
    for (int index = 0; index < threads; index++) {
        if (pthread_create(&workers[index], NULL, work, NULL)) exit(71);
    }
    for (int index = 0; index < threads; index++) pthread_join(workers[index], NULL);
}

// Never freed: they end with the process.
static SSL *open_connection(SSL_CTX *context) {
    int descriptor = connect_to_server();
    return descriptor >= 0 ? shake_hands(context, descriptor, host) : NULL;
}

static void hold_idle(void) {
    SSL_CTX *context = new_context();
    for (int index = 0; index < plan.connections; index++) {
        atomic_fetch_add(open_connection(context) ? &completed : &failed, 1);
    }
}

static void ask_a_crowd(void) {
    SSL_CTX *context = new_context();
    SSL **open = calloc((size_t)plan.connections, sizeof *open);
    if (!open) exit(71);
    for (int index = 0; index < plan.connections; index++) open[index] = open_connection(context);
    for (int index = 0; index < plan.connections; index++) {
        atomic_fetch_add(open[index] && ask(open[index]) ? &completed : &failed, 1);
    }
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void pull(int rate, int most) {
    static char piece[16384];
    static const char wish[] = "GET /big HTTP/1.1\r\nHost: api.acme.example\r\nConnection: close\r\n\r\n";
    SSL *ssl = open_connection(new_context());
    double start = seconds_now();
    int64_t total = 0;
    int count = 0;
    if (!ssl || SSL_write(ssl, wish, sizeof wish - 1) <= 0) exit(71);
    while (total < most && (count = SSL_read(ssl, piece, sizeof piece)) > 0) {
        total += count;
        double ahead = rate ? (double)total / rate - (seconds_now() - start) : 0;
        if (ahead > 0) usleep((useconds_t)(ahead * 1e6));
    }
    atomic_store(&completed, (int)(total / 1000));
    atomic_store(&failed, (int)((seconds_now() - start) * 1000));
}

static bool read_all(SSL *ssl, uint8_t *bytes, size_t length) {
    for (size_t done = 0; done < length;) {
        int count = SSL_read(ssl, bytes + done, (int)(length - done));
        if (count <= 0) return false;
        done += (size_t)count;
    }
    return true;
}

// One frame (RFC 9113 section 4.1): its type, flags and the first byte of its payload; false at the end.
static bool read_frame(SSL *ssl, uint8_t *type, uint8_t *flags, uint8_t *first) {
    static uint8_t payload[1 << 24];
    uint8_t head[9];
    if (!read_all(ssl, head, sizeof head)) return false;
    size_t length = (size_t)head[0] << 16 | (size_t)head[1] << 8 | head[2];
    if (!read_all(ssl, payload, length)) return false;
    (*type = head[3], *flags = head[4], *first = length ? payload[0] : 0);
    return true;
}

static void ask_by_http2(int requests) {
    enum { batch = 64, headers = 1, settings = 4, goaway = 7 };
    // The preface, empty SETTINGS, an acknowledgement, and a window of the connection that is never full.
    static const uint8_t opening[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" "\0\0\0\4\0\0\0\0\0" "\0\0\0\4\1\0\0\0\0"
                                     "\0\0\4\x8\0\0\0\0\0\x7f\0\0\0";
    // :method GET, :scheme https, :path and :authority as literals (RFC 7541 section 6.2.2); END_STREAM and END_HEADERS.
    static const uint8_t block[] = "\x82\x87\x04\x03/ok\x01\x10" "api.acme.example";
    uint8_t frames[batch * (9 + sizeof block - 1)];
    SSL_CTX *context = new_context();
    SSL_CTX_set_alpn_protos(context, (const uint8_t *)"\2h2", 3);
    for (int connection = 0; connection < plan.connections; connection++) {
        SSL *ssl = open_connection(context);
        bool is_open = ssl && SSL_write(ssl, opening, sizeof opening - 1) > 0;
        uint32_t stream = 1;
        for (int asked = 0; is_open && asked < requests; asked += batch) {
            uint8_t *end = frames;
            for (int index = 0; index < batch; index++, stream += 2) {
                const uint8_t head[] = {0, 0, sizeof block - 1, headers, 5, (uint8_t)(stream >> 24),
                                        (uint8_t)(stream >> 16), (uint8_t)(stream >> 8), (uint8_t)stream};
                memcpy(end, head, sizeof head);
                memcpy(end + sizeof head, block, sizeof block - 1);
                end += sizeof head + sizeof block - 1;
            }
            is_open = SSL_write(ssl, frames, (int)(end - frames)) > 0;
            for (int answered = 0; is_open && answered < batch;) {
                uint8_t type, flags, first;
                is_open = read_frame(ssl, &type, &flags, &first) && type != goaway;
                if (!is_open) break;
                // 0x88 is `:status 200` of the static table.
                if (type == headers) atomic_fetch_add(first == 0x88 ? &completed : &failed, 1);
                if (type <= headers && flags & 1) answered++;
            }
        }
        if (!is_open) atomic_fetch_add(&failed, 1);
        if (ssl) SSL_shutdown(ssl);
    }
}

static int number(const char *text, int lowest, int highest) {
    char *end;
    long value = strtol(text, &end, 10);
    if (*end || value < lowest || value > highest) {
        fprintf(stderr, "bench-load: %s is not between %d and %d\n", text, lowest, highest);
        exit(64);
    }
    return (int)value;
}

int main(int count, char **words) {
    const char *mode = count > 1 ? words[1] : "";
    bool counts = count == 7 && !strcmp(mode, "count"), holds = count == 5 && !strcmp(mode, "idle"),
         crowds = count == 5 && !strcmp(mode, "crowd"), pulls = count == 6 && !strcmp(mode, "pull"),
         has_streams = count == 6 && !strcmp(mode, "http2");
    if (!counts && !holds && !crowds && !pulls && !has_streams) {
        fputs("usage: bench-load count <port> <group> <same|new> <threads> <connections>\n"
              "       bench-load idle|crowd <port> <group> <connections>\n"
              "       bench-load pull <port> <group> <bytes a second> <bytes>\n"
              "       bench-load http2 <port> <group> <connections> <requests>\n",
              stderr);
        return 64;
    }
    signal(SIGPIPE, SIG_IGN);
    plan.port = (uint16_t)number(words[2], 1, 65535);
    plan.group = words[3];
    plan.has_new_names = counts && !strcmp(words[4], "new");
    plan.connections = pulls ? 1 : number(words[has_streams ? 4 : count - 1], 1, most_connections);
    if (counts) {
        count_handshakes(number(words[5], 1, most_threads));
    } else if (crowds) {
        ask_a_crowd();
    } else if (pulls) {
        pull(number(words[4], 0, INT_MAX), number(words[5], 1, INT_MAX));
    } else if (has_streams) {
        ask_by_http2(number(words[5], 1, most_connections));
    } else {
        hold_idle();
    }
    printf("%d %d\n", atomic_load(&completed), atomic_load(&failed));
    fflush(stdout);
    if (holds) {
        while (getchar() != EOF) {}
    }
    return 0;
}
