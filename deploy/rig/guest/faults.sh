# The third act: everything that befalls an adapter in the field, one after the other, to one process.
# After the end of each fault the node's frames must hold the beacon again within ten seconds.

limit=10

order() { echo "!$1" >/tmp/orders; }

# stamp TEXT   a line with the broker's time among the messages
stamp() { mosquitto_pub -h 127.0.0.1 -t mesh/v1/mark -m "$1"; }

# verdict NAME   "after X away Y": the seconds from the fault's end to the first frame behind the
# longest pause, and that pause; nothing before the beacon is in three frames again
verdict() {
	tail -n 600 /out/messages | awk -v name="$1" '
	$3 == "mesh/v1/mark" {
		text = substr($0, index($0, "/mark ") + 6)
		if (text == "begin-" name) { began = $1; last = $1; away = 0; back = 0; after = 0 }
		if (text == "end-" name) ended = $1
	}
	began && $3 ~ /rig-n1\/frame$/ && /"r":\[\[/ {
		if ($1 - last > away) { away = $1 - last; back = $1; after = 0 }
		after++
		last = $1
	}
	END { if (ended && after >= 3 && last > ended + 2.5)
		printf "after %.1f away %.1f\n", (back > ended && away >= 1.7 ? back - ended : 0), away }'
}
is_over() { [ -n "$(verdict "$1")" ]; }

# alerts NAME   the radio's alerts that were raised in the course of the fault
alerts() {
	tail -n 600 /out/messages | awk -v name="begin-$1" '
	$3 == "mesh/v1/mark" && substr($0, index($0, "/mark ") + 6) == name { began = 1 }
	began && $3 ~ /rig-n1\/health$/' | grep -o '"id":"radio-[a-z]*"' | cut -d'"' -f4 | sort -u | tr '\n' ' '
}

# fault NAME STATE BEGIN HOLD [END]   runs BEGIN, END after HOLD seconds; STATE must be in the log
fault() {
	fault_name=$1
	fault_lines=$(wc -l <"/out/$node_name.log")
	stamp "begin-$1"
	eval "$3"
	sleep "$4"
	stamp "end-$1"
	[ -z "$5" ] || eval "$5"
	if ! wait_for $((limit + 6)) is_over "$1"; then
		fail "$1: no readings $limit s after its end"
		return
	fi
	set -- "$1" "$2" $(verdict "$1")
	if awk -v got="$4" -v limit="$limit" 'BEGIN { exit !(got <= limit) }'
	then pass "$1: readings again after $4 s (away for $6 s) $(alerts "$1")"
	else fail "$1: readings again after $4 s, $limit allowed"
	fi
	if [ -n "$2" ]; then
		tail -n "+$((fault_lines + 1))" "/out/$node_name.log" >/tmp/fault.log
		grep -q "$2" /tmp/fault.log || fail "$1: the log does not say “$2”"
		grep 'radio: hci.* is ' /tmp/fault.log | tail -1 | grep -q 'is scanning' ||
			fail "$1: the log does not end with “is scanning”"
	fi
}

block() { for switch in /sys/class/rfkill/rfkill*/soft; do echo "$1" >"$switch"; done; }
boots() { grep ' mesh/v1/rig/node/rig-n1/beat ' /out/messages | field boot | sort -u | wc -l; }

mkfifo /tmp/orders
radio faults -i /tmp/orders
mark
boots_before=$(boots)
node_start faults
flows() { tail -3 /out/messages | grep -q '"r":\[\['; }
check "the beacon is heard" wait_for 30 flows
check "the node is an ordinary user's, with two capabilities" \
	grep -Eq '^CapEff:	0*3000$' "/proc/$node_pid/status"
sleep 2

fault "stalled until the next scan" "is scanning" 'order stall,until=rescan' 0
fault "stalled until a reset" "is scanning" 'order stall,until=reset' 0
# The kernel says on two sockets that the controller gave up and that it is down, in no order.
fault "hardware error" 'hardware error\|is down' 'order hwerror,42' 0
fault "malformed report" "" 'order event,3e0c020100000100000000c0c802' 0
fault "three commands refused with 0x0c" "0xc" \
	'order fail,opcode=200c,status=0c,count=3; order hwerror,42' 0
fault "three commands refused with 0x01" "0x1" \
	'order fail,opcode=200b,status=01,count=3; order hwerror,42' 0
fault "mute and stalled" "did not answer" 'order stall,until=reset; order mute' 7 'order unmute'
fault "switched off by another program" "is down" 'meddle down 0' 0
fault "a scan of another program" "is foreign" 'meddle scan 0 3' 0
fault "another program ends our scan" "is foreign" 'meddle end 0' 0
fault "blocked by rfkill" "is blocked" 'block 1' 4 'block 0'
# Plugged in anew it is switched off after two seconds, unless somebody claims it.
fault "unplugged and plugged in, and no auto-off" "is absent" 'order unplug' 3 'order plug; sleep 4'
fault "back as hci1" "hci1 is scanning" 'meddle hold 0 6 & sleep 0.5; order unplug' 2 'order plug'
fault "back as hci0" "hci0 is scanning" 'sleep 1; order unplug' 2 'order plug'

check "through all of it, one process" \
	sh -c "kill -0 $node_pid && [ $(boots) = $((boots_before + 1)) ]"
if grep -q '"alerts":' /out/messages; then
	collect faults
	raised=$(messages health | grep -o '"id":"radio-[a-z]*"' | cut -d'"' -f4 | sort -u | tr '\n' ' ')
	[ -n "$raised" ] && pass "alerts were raised: $raised" || fail "no alert was raised"
	messages health | tail -1 | grep -q '"alerts":\[[^]]*radio-' &&
		fail "an alert of the radio remains" || pass "and all of them cleared"
fi
node_stop
check "the node stops after all that" wait_for 5 node_is_gone
check "and leaves the scan off" \
	wait_for 5 sh -c "grep 'COMMAND 200c' /out/faults.radio | tail -1 | grep -q 'COMMAND 200c .0000. -> 00'"
radio_stop
rm /tmp/orders

# --- two adapters: the node listens while one of them does -------------------------------------------
mkfifo /tmp/orders
radio faults -i /tmp/orders
vradio -k -a 00:1B:DC:00:00:02 -l /out/second.radio /rig/faults.csv >/tmp/second 2>&1 &
second_pid=$!
wait_for 15 grep -q 'vradio: hci1' /tmp/second || fail "the second radio did not start"
mark
node_radio="hci:hci0, hci:00:1B:DC:00:00:02"
node_start both
scans() { [ "$(grep -c "radio: $1 is scanning" /out/both.log)" -ge "$2" ]; }
both_scan() { scans hci0 1 && scans hci1 1; }
check "both adapters scan" wait_for 30 both_scan
order unplug
sleep 3
check "with one pulled out the node goes on listening" \
	sh -c "tail -4 /out/messages | grep -q '\"r\":\[\[' && ! grep -q 'radio hci.* is absent' /out/both.log"
order plug
check "and takes it back" wait_for $limit scans hci0 2
node_stop
check "the node stops" wait_for 5 node_is_gone
kill "$second_pid"
radio_stop

# --- no adapter: what only adapters need is given up -------------------------------------------------
node_radio="btsnoop:unix:/tmp/nobody.sock"
node_start stream
check "a node without an adapter gives up both capabilities" \
	wait_for 10 grep -Eq '^CapPrm:	0*$' "/proc/$node_pid/status"
node_stop
