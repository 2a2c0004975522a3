#ifndef CISOLATION_H
#define CISOLATION_H

#include <stdint.h>
#include <sys/types.h>

/// A file or folder that the room sees in place of another; an empty source hides what is there.
struct pd_mount {
    const char *source;
    const char *target;
};

enum { pd_room_sockets = 6 };

/// A process in user, network and mount namespaces of its own, which keeps them, and the sockets that it opened there.
struct pd_room {
    pid_t keeper;
    /// Our end of the line to it: it ends when this is closed.
    int line;
    /// TCP on 127.0.0.1, TCP on ::1, collector, DNS (UDP), all UDP of IPv4, all UDP of IPv6; -1: there is none.
    int sockets[pd_room_sockets];
    /// Where it failed: what was tried, its errno or 0, and what a tool had to say.
    char stage[32];
    int error;
    char said[256];
};

/// Opens a room. Returns 0, or -1 with `stage`, `error` and `said`.
///
/// The child that it forks calls nothing but the kernel: it may be called in a process with threads.
int pd_room_open(struct pd_room *room, const char *nft, const struct pd_mount *mounts, int mount_count);

/// To whom the keeper connects: to the listeners of TCP, or to the collector.
enum { pd_to_listeners = 'l', pd_to_collector = 'c' };

/// Connects from inside; returns how many descriptors there are, or -1. One at a time.
int pd_room_connect(int line, char whom, int descriptors[2]);

/// Ends the keeper, and waits for it. The sockets stay open.
void pd_room_close(pid_t keeper, int line);

/// A datagram that a raw socket saw.
struct pd_datagram {
    /// 4 or 16 bytes.
    uint8_t address[16];
    uint8_t address_length;
    uint16_t source_port;
    uint16_t port;
    uint16_t length;
    uint8_t bytes[2048];
};

/// Reads the next one; returns 0 where there is none.
int pd_datagram_next(int socket, int is_v6, struct pd_datagram *datagram);

#endif
