/*
 * meddle - what other programs do to a Bluetooth adapter, and a way to run a node as an ordinary user.
 *
 * usage: meddle scan INDEX SECONDS   a scan of our own, with the duplicate filter, and its end
 *        meddle end INDEX            ends whatever scan there is
 *        meddle down INDEX           switches the adapter off
 *        meddle hold INDEX SECONDS   keeps a socket open, so that the adapter's number stays taken
 *        meddle as UID COMMAND...    becomes UID with CAP_NET_RAW and CAP_NET_ADMIN alone, runs COMMAND
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <grp.h>
#include <linux/capability.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FAMILY = 31, PROTOCOL_HCI = 1 };
#define SWITCH_OFF _IOW('H', 202, int)
struct hci_address { uint16_t family, index, channel; };

static void check(int result, const char *what)
{
	if (result >= 0)
		return;
	fprintf(stderr, "meddle: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int open_adapter(int index)
{
	struct hci_address address = { FAMILY, index, 0 };
	int fd = socket(FAMILY, SOCK_RAW, PROTOCOL_HCI);
	check(fd, "socket");
	check(bind(fd, (struct sockaddr *)&address, sizeof address), "bind");
	return fd;
}

static void command(int fd, const uint8_t *packet, int length)
{
	check(write(fd, packet, length), "command");
	usleep(100000);
}

static void end_scan(int fd) { command(fd, (uint8_t[]){ 1, 0x0c, 0x20, 2, 0, 0 }, 6); }

static void scan(int fd, int seconds)
{
	end_scan(fd);
	command(fd, (uint8_t[]){ 1, 0x0b, 0x20, 7, 1, 0x12, 0, 0x12, 0, 0, 0 }, 11);
	command(fd, (uint8_t[]){ 1, 0x0c, 0x20, 2, 1, 1 }, 6);
	sleep(seconds);
	end_scan(fd);
}

static void run_as(int uid, char **arguments)
{
	uint32_t both = 1u << CAP_NET_RAW | 1u << CAP_NET_ADMIN;
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct sets[2] = { { both, both, both }, { 0, 0, 0 } };
	for (int i = 0; i <= CAP_LAST_CAP; i++)
		if (i != CAP_NET_RAW && i != CAP_NET_ADMIN)
			prctl(PR_CAPBSET_DROP, i);
	check(prctl(PR_SET_KEEPCAPS, 1), "keepcaps");
	check(setgroups(0, NULL), "setgroups");
	check(setgid(uid), "setgid");
	check(setuid(uid), "setuid");
	check(syscall(SYS_capset, &header, sets), "capset");
	check(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_NET_RAW, 0, 0), "ambient");
	check(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_NET_ADMIN, 0, 0), "ambient");
	check(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs");
	execvp(arguments[0], arguments);
	check(-1, arguments[0]);
}

int main(int argc, char **argv)
{
	const char *verb = argc > 2 ? argv[1] : "";
	int number = argc > 2 ? atoi(argv[2]) : 0;
	if (!strcmp(verb, "as") && argc > 3)
		run_as(number, argv + 3);
	else if (!strcmp(verb, "scan") && argc == 4)
		scan(open_adapter(number), atoi(argv[3]));
	else if (!strcmp(verb, "hold") && argc == 4)
		open_adapter(number), sleep(atoi(argv[3]));
	else if (!strcmp(verb, "end") && argc == 3)
		end_scan(open_adapter(number));
	else if (!strcmp(verb, "down") && argc == 3)
		check(ioctl(open_adapter(number), SWITCH_OFF, number), "switching off");
	else {
		fprintf(stderr, "usage: meddle scan|hold INDEX SECONDS, end|down INDEX, as UID COMMAND...\n");
		return 2;
	}
	return 0;
}
