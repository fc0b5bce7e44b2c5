#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>
#include <errno.h>
#include <sys/ioctl.h>

// The HCI ioctl numbers are made by _IOW, and ioctl is variadic: Swift can import neither.
static inline int cbluez_up(int socket, int adapter) { return ioctl(socket, HCIDEVUP, adapter); }
static inline int cbluez_down(int socket, int adapter) { return ioctl(socket, HCIDEVDOWN, adapter); }
