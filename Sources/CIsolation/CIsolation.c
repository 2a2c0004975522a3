#define _GNU_SOURCE
#include "CIsolation.h"

#ifdef __linux__

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/// What the keeper says first: where it failed, or an empty stage, with the sockets.
struct report {
    char stage[32];
    int error;
    char said[256];
    uint16_t port;
    uint16_t collector_port;
    uint8_t present[pd_room_sockets];
};

static int send_with(int line, const void *data, size_t length, const int *descriptors, int count) {
    char control[CMSG_SPACE(sizeof(int) * pd_room_sockets)] = {0};
    struct iovec part = {(void *)data, length};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (count > 0) {
        message.msg_control = control;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * count);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int) * count);
        memcpy(CMSG_DATA(header), descriptors, sizeof(int) * count);
    }
    return sendmsg(line, &message, MSG_NOSIGNAL) == (ssize_t)length ? 0 : -1;
}

/// Returns how many bytes came, with the descriptors that came along.
static ssize_t receive_with(int line, void *data, size_t length, int *descriptors, int *count) {
    char control[CMSG_SPACE(sizeof(int) * pd_room_sockets)];
    struct iovec part = {data, length};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t received;
    do received = recvmsg(line, &message, MSG_CMSG_CLOEXEC);
    while (received < 0 && errno == EINTR);
    *count = 0;
    if (received <= 0) return received;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        *count = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        memcpy(descriptors, CMSG_DATA(header), sizeof(int) * *count);
    }
    return received;
}

static int write_file(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t written = write(file, text, strlen(text));
    int error = errno;
    close(file);
    errno = error;
    return written < 0 ? -1 : 0;
}

/// Every address is this machine's (the "AnyIP" of Linux): what is sent anywhere is received here.
static int route_everything_here(int family) {
    struct {
        struct nlmsghdr header;
        struct rtmsg route;
        struct rtattr attribute;
        int interface;
    } request = {
        .header = {sizeof request, RTM_NEWROUTE, NLM_F_REQUEST | NLM_F_CREATE | NLM_F_EXCL | NLM_F_ACK, 1, 0},
        .route = {.rtm_family = (unsigned char)family,
                  .rtm_table = RT_TABLE_LOCAL,
                  .rtm_protocol = RTPROT_BOOT,
                  .rtm_scope = RT_SCOPE_HOST,
                  .rtm_type = RTN_LOCAL},
        .attribute = {RTA_LENGTH(sizeof(int)), RTA_OIF},
        .interface = 1,  // The loopback interface is the first of every network namespace.
    };
    struct {
        struct nlmsghdr header;
        struct nlmsgerr error;
        char rest[256];
    } reply;
    int kernel = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (kernel < 0) return -1;
    int result = -1;
    if (send(kernel, &request, sizeof request, 0) >= 0 && recv(kernel, &reply, sizeof reply, 0) > 0) {
        errno = -reply.error.error;
        result = reply.header.nlmsg_type == NLMSG_ERROR && reply.error.error == 0 ? 0 : -1;
    }
    int error = errno;
    close(kernel);
    errno = error;
    return result;
}

static int bring_loopback_up(void) {
    struct ifreq request = {.ifr_name = "lo"};
    int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (any < 0) return -1;
    int result = ioctl(any, SIOCGIFFLAGS, &request);
    request.ifr_flags |= IFF_UP | IFF_RUNNING;
    if (result == 0) result = ioctl(any, SIOCSIFFLAGS, &request);
    int error = errno;
    close(any);
    errno = error;
    return result;
}

/// A socket on loopback; a port of 0 becomes the one that was given.
static int opened(int family, int type, uint16_t *port) {
    int one = 1;
    int result = socket(family, type | SOCK_CLOEXEC, 0);
    if (result < 0) return -1;
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(*port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(*port), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    struct sockaddr *address = family == AF_INET ? (struct sockaddr *)&four : (struct sockaddr *)&six;
    socklen_t length = family == AF_INET ? sizeof four : sizeof six;
    if (family == AF_INET6) setsockopt(result, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one);
    if (type == SOCK_STREAM) setsockopt(result, IPPROTO_TCP, 1 /* TCP_NODELAY */, &one, sizeof one);
    if (bind(result, address, length) == 0 && (type != SOCK_STREAM || listen(result, 1024) == 0)
        && getsockname(result, address, &length) == 0) {
        *port = ntohs(family == AF_INET ? four.sin_port : six.sin6_port);
        return result;
    }
    int error = errno;
    close(result);
    errno = error;
    return -1;
}

static int raw(int family) {
    int one = 1;
    int result = socket(family, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_UDP);
    if (result >= 0 && family == AF_INET6) setsockopt(result, IPPROTO_IPV6, IPV6_RECVPKTINFO, &one, sizeof one);
    return result;
}

/// Runs the tool with this input; returns its status, with what it had to say.
static int run_with_input(const char *tool, const char *input, char *said, size_t room) {
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0) return -1;
    pid_t child = fork();
    if (child < 0) return -1;
    if (child == 0) {
        char *const words[] = {(char *)tool, "-f", "-", NULL};
        char *const none[] = {NULL};
        dup2(in[0], 0);
        dup2(out[1], 1);
        dup2(out[1], 2);
        execve(tool, words, none);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    // A pipe has room for more than this.
    if (write(in[1], input, strlen(input)) < 0) said[0] = 0;
    close(in[1]);
    size_t length = 0;
    ssize_t more;
    char rest[256];
    while ((more = length < room - 1 ? read(out[0], said + length, room - 1 - length) : read(out[0], rest, sizeof rest)) > 0)
        if (length < room - 1) length += (size_t)more;
    said[length] = 0;
    close(out[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int show(const struct pd_mount *mounts, int count) {
    // What is mounted here is nobody else's.
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) return -1;
    for (int index = 0; index < count; index += 1) {
        struct stat status;
        if (stat(mounts[index].target, &status) < 0) continue;
        int hides = mounts[index].source[0] == 0;
        int result = hides && S_ISDIR(status.st_mode)
            ? mount("none", mounts[index].target, "tmpfs", 0, "size=0,mode=0755")
            : mount(hides ? "/dev/null" : mounts[index].source, mounts[index].target, NULL, MS_BIND, NULL);
        if (result < 0) return -1;
    }
    return 0;
}

/// Everything up to the sockets. Returns 0, or -1 with the stage.
static int furnish(struct report *report, int sockets[], const char *nft, const struct pd_mount *mounts, int count) {
#define TRY(name, call)                                           \
    do {                                                          \
        if ((call) < 0) {                                         \
            report->error = errno;                                \
            strncpy(report->stage, name, sizeof report->stage - 1); \
            return -1;                                            \
        }                                                         \
    } while (0)
    char uid_map[32], gid_map[32], rules[512];
    snprintf(uid_map, sizeof uid_map, "0 %u 1", (unsigned)geteuid());
    snprintf(gid_map, sizeof gid_map, "0 %u 1", (unsigned)getegid());
    TRY("unshare", unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS));
    // A kernel older than 3.19 has no such file, and needs none.
    if (write_file("/proc/self/setgroups", "deny") < 0 && errno != ENOENT) TRY("user map", -1);
    TRY("user map", write_file("/proc/self/uid_map", uid_map));
    TRY("user map", write_file("/proc/self/gid_map", gid_map));
    TRY("mount", show(mounts, count));
    TRY("network", bring_loopback_up());
    TRY("network", route_everything_here(AF_INET));
    int has_v6 = route_everything_here(AF_INET6) == 0;
    uint16_t domain = 53;
    // The other family's port may be taken, by nobody but us: there is nobody else here.
    TRY("socket", sockets[0] = opened(AF_INET, SOCK_STREAM, &report->port));
    if (has_v6) has_v6 = (sockets[1] = opened(AF_INET6, SOCK_STREAM, &report->port)) >= 0;
    TRY("socket", sockets[2] = opened(AF_INET, SOCK_STREAM, &report->collector_port));
    TRY("socket", sockets[3] = opened(AF_INET, SOCK_DGRAM, &domain));
    TRY("socket", sockets[4] = raw(AF_INET));
    if (has_v6) TRY("socket", sockets[5] = raw(AF_INET6));
    snprintf(
        rules, sizeof rules,
        "table inet pindrill {\n"
        " chain out {\n"
        "  type nat hook output priority -100\n"
        "  ip daddr 127.0.0.0/8 accept\n"
        "  ip6 daddr ::1 accept\n"
        "  meta nfproto ipv4 udp dport 53 redirect to :53\n"
        "  meta l4proto tcp redirect to :%u\n"
        " }\n"
        "}\n",
        report->port);
    int status = run_with_input(nft, rules, report->said, sizeof report->said);
    if (status != 0) {
        errno = 0;
        TRY("nft", -1);
    }
    return 0;
#undef TRY
}

static void close_others(void) {
    if (syscall(SYS_close_range, 4, ~0U, 0) == 0) return;
    for (int descriptor = 4; descriptor < 65536; descriptor += 1) close(descriptor);
}

static int connected(int family, uint16_t port) {
    int result = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (result < 0) return -1;
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    int outcome = family == AF_INET ? connect(result, (struct sockaddr *)&four, sizeof four)
                                    : connect(result, (struct sockaddr *)&six, sizeof six);
    if (outcome == 0) return result;
    close(result);
    return -1;
}

/// The keeper's life: it opens the room, and then connects whenever it is told to.
static void keep(int line, const char *nft, const struct pd_mount *mounts, int count) {
    struct report report;
    memset(&report, 0, sizeof report);
    int sockets[pd_room_sockets] = {-1, -1, -1, -1, -1, -1};
    int passed[pd_room_sockets];
    int passed_count = 0;
    // Nothing of ours may stay open in it: connections would never end.
    dup2(line, 3);
    close_others();
    int is_open = furnish(&report, sockets, nft, mounts, count) == 0;
    for (int index = 0; is_open && index < pd_room_sockets; index += 1) {
        report.present[index] = sockets[index] >= 0;
        if (sockets[index] >= 0) passed[passed_count++] = sockets[index];
    }
    if (send_with(3, &report, sizeof report, passed, passed_count) < 0 || !is_open) _exit(1);
    for (int index = 0; index < passed_count; index += 1) close(passed[index]);
    char word;
    while (recv(3, &word, 1, 0) == 1) {
        int ends[2];
        int end_count = 0;
        int is_collector = word == pd_to_collector;
        uint16_t port = is_collector ? report.collector_port : report.port;
        if ((ends[end_count] = connected(AF_INET, port)) >= 0) end_count += 1;
        if (!is_collector && report.present[1] && (ends[end_count] = connected(AF_INET6, report.port)) >= 0) end_count += 1;
        send_with(3, &word, 1, ends, end_count);
        for (int index = 0; index < end_count; index += 1) close(ends[index]);
    }
    _exit(0);
}

int pd_room_open(struct pd_room *room, const char *nft, const struct pd_mount *mounts, int mount_count) {
    int line[2];
    memset(room, 0, sizeof *room);
    for (int index = 0; index < pd_room_sockets; index += 1) room->sockets[index] = -1;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, line) < 0) {
        room->error = errno;
        strcpy(room->stage, "socket");
        return -1;
    }
    pid_t keeper = fork();
    if (keeper == 0) keep(line[1], nft, mounts, mount_count);
    int error = errno;
    close(line[1]);
    struct report report;
    int descriptors[pd_room_sockets];
    int count = 0;
    if (keeper < 0) {
        close(line[0]);
        room->error = error;
        strcpy(room->stage, "fork");
        return -1;
    }
    ssize_t received = receive_with(line[0], &report, sizeof report, descriptors, &count);
    if (received != sizeof report || report.stage[0] != 0) {
        if (received == sizeof report) {
            room->error = report.error;
            memcpy(room->stage, report.stage, sizeof room->stage);
            memcpy(room->said, report.said, sizeof room->said);
        } else {
            strcpy(room->stage, "keeper");
        }
        pd_room_close(keeper, line[0]);
        return -1;
    }
    for (int index = 0, next = 0; index < pd_room_sockets; index += 1)
        if (report.present[index] && next < count) room->sockets[index] = descriptors[next++];
    room->keeper = keeper;
    room->line = line[0];
    return 0;
}

int pd_room_connect(int line, char word, int descriptors[2]) {
    int all[pd_room_sockets];
    int count = 0;
    if (send(line, &word, 1, MSG_NOSIGNAL) != 1) return -1;
    if (receive_with(line, &word, 1, all, &count) != 1) return -1;
    for (int index = 0; index < count && index < 2; index += 1) descriptors[index] = all[index];
    return count;
}

void pd_room_close(pid_t keeper, int line) {
    int status;
    close(line);
    while (waitpid(keeper, &status, 0) < 0 && errno == EINTR) {}
}

int pd_datagram_next(int socket, int is_v6, struct pd_datagram *datagram) {
    uint8_t bytes[sizeof datagram->bytes + 128];
    char control[256];
    struct iovec part = {bytes, sizeof bytes};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    for (;;) {
        ssize_t length = recvmsg(socket, &message, MSG_DONTWAIT);
        if (length < 0 && errno == EINTR) continue;
        if (length < 0) return 0;
        size_t start = 0;
        memset(datagram, 0, offsetof(struct pd_datagram, bytes));
        if (is_v6) {
            for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
                if (header->cmsg_level != IPPROTO_IPV6 || header->cmsg_type != IPV6_PKTINFO) continue;
                memcpy(datagram->address, CMSG_DATA(header), 16);
                datagram->address_length = 16;
            }
        } else if (length >= 20) {
            // RFC 791 section 3.1: the header's length in words, and the destination.
            start = (size_t)(bytes[0] & 15) * 4;
            memcpy(datagram->address, bytes + 16, 4);
            datagram->address_length = 4;
        }
        message.msg_controllen = sizeof control;
        if (datagram->address_length == 0 || start + 8 > (size_t)length) continue;
        datagram->source_port = (uint16_t)(bytes[start] << 8 | bytes[start + 1]);
        datagram->port = (uint16_t)(bytes[start + 2] << 8 | bytes[start + 3]);
        size_t rest = (size_t)length - start - 8;
        datagram->length = (uint16_t)(rest < sizeof datagram->bytes ? rest : sizeof datagram->bytes);
        memcpy(datagram->bytes, bytes + start + 8, datagram->length);
        return 1;
    }
}

#else

#include <string.h>
#include <unistd.h>

int pd_room_open(struct pd_room *room, const char *nft, const struct pd_mount *mounts, int mount_count) {
    memset(room, 0, sizeof *room);
    strcpy(room->stage, "system");
    return -1;
}

int pd_room_connect(int line, char word, int descriptors[2]) { return -1; }

void pd_room_close(pid_t keeper, int line) { close(line); }

int pd_datagram_next(int socket, int is_v6, struct pd_datagram *datagram) { return 0; }

#endif
