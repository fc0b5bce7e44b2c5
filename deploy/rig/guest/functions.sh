# What the guest's test is made of.

pass() { echo "RIG PASS: $*"; }
fail() { echo "RIG FAIL: $*"; }

# check NAME COMMAND...   one line from a command's exit status
check() {
	check_name=$1
	shift
	if "$@"; then pass "$check_name"; else fail "$check_name"; fi
}

# wait_for SECONDS COMMAND...   until the command succeeds
wait_for() {
	wait_left=$(($1 * 5))
	shift
	while [ $wait_left -gt 0 ]; do
		"$@" >/dev/null 2>&1 && return 0
		sleep 0.2
		wait_left=$((wait_left - 1))
	done
	return 1
}

# radio NAME [OPTION...]   the scripted radio plays NAME.csv as hci0; its log is /out/NAME.radio
radio() {
	radio_name=$1
	shift
	: >/tmp/radio
	vradio -k -l "/out/$radio_name.radio" "$@" "/rig/$radio_name.csv" >/tmp/radio 2>&1 &
	radio_pid=$!
	wait_for 15 grep -q 'vradio: hci0' /tmp/radio || fail "the radio did not start: $(cat /tmp/radio)"
}

radio_stop() {
	kill "$radio_pid"
	wait "$radio_pid"
	wait_for 5 test ! -e /sys/class/bluetooth/hci0
}

# broker   an MQTT broker, and everything it is sent in /out/messages: time, retained, topic, payload
broker() {
	printf 'listener 1883 127.0.0.1\nallow_anonymous true\n' >/tmp/broker.conf
	mosquitto -c /tmp/broker.conf >/out/broker.log 2>&1 &
	wait_for 10 mosquitto_pub -h 127.0.0.1 -t rig/hello -m 1 || fail "the broker did not start"
	mosquitto_sub -h 127.0.0.1 -t 'mesh/v1/#' -F '%U %r %t %p' >/out/messages &
}

# node_start NAME, node_stop   the node under test, an ordinary user; its log is /out/NAME.log
node_start() {
	node_name=$1
	mkdir -p /tmp/state
	chown 1000 /tmp/state
	cat >/tmp/node.yaml <<EOF
node: rig-n1
site: rig
radio: "${node_radio:-hci:hci0}"
broker: {host: 127.0.0.1, port: 1883}
state: /tmp/state
publish_unregistered: true
max_range_m: 100
EOF
	# It runs in the place of meddle, so its process id is that of the job.
	LD_LIBRARY_PATH=/payload/lib LLVM_PROFILE_FILE=/dev/null \
		meddle as 1000 /payload/node --config /tmp/node.yaml >"/out/$node_name.log" 2>&1 &
	node_pid=$!
}

node_runs() { kill -0 "$node_pid" 2>/dev/null; }
node_is_gone() { ! node_runs; }
node_stop() { kill -TERM "$node_pid"; }

# messages KIND   the payloads of mesh/v1/rig/node/rig-n1/KIND since the node was started
messages() { sed -n "s|^[0-9.]* [01] mesh/v1/rig/node/rig-n1/$1 ||p" "/tmp/messages.$node_name"; }

# mark   everything after this belongs to the node started next
mark() { messages_before=$(wc -l </out/messages); }
collect() { tail -n "+$((messages_before + 1))" /out/messages >"/tmp/messages.$1"; }

# heard IDENTITY   of all frames: reports, weakest and strongest median, strongest level
heard() {
	messages frame | awk -v wanted="$1" '
	BEGIN { count = 0; low = 999; high = -999; top = -999 }
	{
		line = $0
		while (match(line, /\["[^"]*",[-0-9.]+,[0-9]+,[-0-9.]+\]/)) {
			split(substr(line, RSTART + 1, RLENGTH - 2), part, ",")
			line = substr(line, RSTART + RLENGTH)
			if (part[1] != "\"" wanted "\"") continue
			count += part[3]
			if (part[2] + 0 < low) low = part[2] + 0
			if (part[2] + 0 > high) high = part[2] + 0
			if (part[4] + 0 > top) top = part[4] + 0
		}
	}
	END { print count, count ? low " " high " " top : "- - -" }'
}

# compare FILE   each line: identity, reports, weakest, strongest level; counts may differ by a tenth
compare() {
	grep -v '^#' "$1" | while read -r identity count weakest strongest; do
		[ -n "$identity" ] || continue
		set -- $(heard "$identity")
		if awk -v got="$1" -v low="$2" -v high="$3" -v top="$4" -v count="$count" \
			-v weakest="$weakest" -v strongest="$strongest" 'BEGIN {
				slack = count / 10
				exit !(got >= count - slack && got <= count + slack \
					&& (count == 0 || low >= weakest && high <= strongest && top <= strongest)) }'
		then pass "$identity: $1 of $count reports, medians $2 to $3 dBm"
		else fail "$identity: $1 reports, medians $2 to $3, strongest $4 dBm; expected $count, $weakest to $strongest"
		fi
	done
}

# field NAME   the numbers or words of a field, one a line, of the payloads on stdin
field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p"; }
