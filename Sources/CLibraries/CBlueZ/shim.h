#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/capability.h>

// The HCI ioctl numbers are made by _IOW, and ioctl is variadic: Swift can import neither.
static inline int cbluez_up(int socket, int adapter) { return ioctl(socket, HCIDEVUP, adapter); }
static inline int cbluez_down(int socket, int adapter) { return ioctl(socket, HCIDEVDOWN, adapter); }

// Reads one packet, and when the kernel got it, in microseconds since 1970, or 0 if it does not say.
// CMSG_FIRSTHDR and its kin are macros. The time is a pair of longs of the kernel's width.
static inline ssize_t cbluez_receive(int socket, void *buffer, size_t size, int64_t *stamp) {
    union { struct cmsghdr header; char bytes[128]; } control;
    struct iovec part = { .iov_base = buffer, .iov_len = size };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1,
                              .msg_control = control.bytes, .msg_controllen = sizeof control.bytes };
    *stamp = 0;
    ssize_t count = recvmsg(socket, &message, 0);
    if (count < 0) return count;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
        if (c->cmsg_level != SOL_HCI || c->cmsg_type != HCI_CMSG_TSTAMP) continue;
        long pair[2];
        if (c->cmsg_len != CMSG_LEN(sizeof pair)) continue;
        memcpy(pair, CMSG_DATA(c), sizeof pair);
        *stamp = (int64_t)pair[0] * 1000000 + pair[1];
    }
    return count;
}

// capget and capset have no function in the C library, and syscall is variadic. The bits of the
// effective, permitted and inheritable set, low word first.
static inline int cbluez_capabilities(uint32_t bits[6]) {
    struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct words[2];
    int result = (int)syscall(SYS_capget, &header, words);
    for (int i = 0; i < 2; i++) {
        bits[i] = words[i].effective;
        bits[2 + i] = words[i].permitted;
        bits[4 + i] = words[i].inheritable;
    }
    return result;
}
static inline int cbluez_set_capabilities(const uint32_t bits[6]) {
    struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct words[2];
    for (int i = 0; i < 2; i++) {
        words[i].effective = bits[i];
        words[i].permitted = bits[2 + i];
        words[i].inheritable = bits[4 + i];
    }
    return (int)syscall(SYS_capset, &header, words);
}
