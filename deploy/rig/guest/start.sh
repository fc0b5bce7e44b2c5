# The guest's second program: loopback, the test, power off.
export PATH=/rig:/usr/bin:/usr/sbin:/bin:/sbin HOME=/root LANG=C.UTF-8
mkdir -p /var/log /dev/shm
mount -t tmpfs tmpfs /dev/shm
chmod 1777 /tmp
ip link set lo up
echo "RIG BOOT: up after $(cut -d' ' -f1 /proc/uptime) s"
sh -c '. /rig/functions.sh; . /rig/test.sh; . /rig/faults.sh' 2>&1
echo "RIG END: after $(cut -d' ' -f1 /proc/uptime) s"
dmesg >/out/dmesg.txt
sync
poweroff -f
