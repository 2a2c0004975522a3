// Makes full TLS 1.3 handshakes against one port of 127.0.0.1, the same for every server, and counts what failed.
//
//   bench-load count <port> <group> <same|new> <threads> <connections>
//       Each connection: handshake, one GET /ok, the answer read to its end, close. Prints "<completed> <failed>".
//   bench-load idle <port> <group> <connections>
//       Opens that many connections, says nothing on them, prints "<open> <failed>", and waits for the end of its input.
//
// It offers one cipher suite and one group, so every server must choose the same, and never a session to resume.
// It verifies nothing: that is the client's work, and the servers are what is measured.

#include <arpa/inet.h>
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

static void hold_idle(void) {
    SSL_CTX *context = new_context();
    for (int index = 0; index < plan.connections; index++) {
        int descriptor = connect_to_server();
        // Never freed: they end with the process.
        atomic_fetch_add(descriptor >= 0 && shake_hands(context, descriptor, host) ? &completed : &failed, 1);
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
    bool counts = count == 7 && !strcmp(words[1], "count");
    if (!counts && !(count == 5 && !strcmp(words[1], "idle"))) {
        fputs("usage: bench-load count <port> <group> <same|new> <threads> <connections>\n"
              "       bench-load idle <port> <group> <connections>\n",
              stderr);
        return 64;
    }
    signal(SIGPIPE, SIG_IGN);
    plan.port = (uint16_t)number(words[2], 1, 65535);
    plan.group = words[3];
    plan.has_new_names = counts && !strcmp(words[4], "new");
    plan.connections = number(words[count - 1], 1, most_connections);
    if (counts) {
        count_handshakes(number(words[5], 1, most_threads));
    } else {
        hold_idle();
    }
    printf("%d %d\n", atomic_load(&completed), atomic_load(&failed));
    fflush(stdout);
    if (!counts) {
        while (getchar() != EOF) {}
    }
    return 0;
}
