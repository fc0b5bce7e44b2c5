# The test: a node in front of a scripted radio, and what the broker was told.

# Whether the frames of a boot are numbered without a gap.
are_numbered() {
	messages frame | field seq | awk 'NR > 1 && $1 != last + 1 { bad = 1 } { last = $1 } END { exit bad || NR == 0 }'
}

empty_frames() { messages frame | grep -c '"r":\[\]'; }

broker

# --- a controller of Bluetooth 4.2 ------------------------------------------------------------------
mark
node_start steady
sleep 3
check "without an adapter the node waits" node_runs
radio steady
check "the node turned the scan on, with legacy commands and no filter" \
	wait_for 30 grep -q 'COMMAND 200c \[0100\] -> 00' /out/steady.radio
check "the script was played" wait_for 90 grep -q '!mark over' /out/steady.radio
sleep 3
check "the node is still running" node_runs
node_stop
check "the node stops within 5 s of SIGTERM" wait_for 5 node_is_gone
check "the node turned the scan off" \
	wait_for 5 sh -c "grep COMMAND /out/steady.radio | tail -1 | grep -q 'COMMAND 200c .0000. -> 00'"
sleep 1
collect steady
compare /rig/steady.expected

set -- $(messages frame | wc -l) $(empty_frames)
[ "$2" -ge 6 ] && pass "$2 of $1 frames are empty" || fail "$2 of $1 frames are empty, expected 6 at least"
check "frames are numbered without a gap" are_numbered
check "a smoothed level follows its beacon" \
	sh -c "sed -n 's|.*/rssi/ib-f7826da64fa24e988024bc5b71e0893e-43240-65535 ||p' /tmp/messages.steady |
		sed -n 's/.*\"rssi\":\([-0-9.]*\).*/\1/p' |
		awk '\$1 < -61 || \$1 > -59 { bad = 1 } END { exit bad || NR == 0 }'"
check "a smoothed level walks up with its beacon" \
	sh -c "sed -n 's|.*/rssi/ib-f7826da64fa24e988024bc5b71e0893e-1-2 ||p' /tmp/messages.steady |
		sed -n 's/.*\"rssi\":\([-0-9.]*\).*/\1/p' |
		awk 'NR == 1 { first = \$1 } { last = \$1 } END { exit !(NR > 3 && last - first > 25) }'"
beats=$(messages beat | wc -l)
[ "$beats" -ge 20 ] && pass "$beats beats" || fail "$beats beats in some 55 s, expected 20 at least"
check "health tells of an absent adapter, and of one that is up" \
	sh -c "grep ' mesh/v1/rig/node/rig-n1/health ' /tmp/messages.steady >/tmp/health &&
		grep -q '\"adapter\":\"absent\"' /tmp/health && grep -q '\"adapter\":\"up\"' /tmp/health"
malformed=$(messages health | field malformed | tail -1)
[ "${malformed:-0}" -ge 1 ] && pass "the malformed report was counted" ||
	fail "malformed is ${malformed:-missing}, expected 1 at least"
missing=$(messages health | field rssi_unavailable | tail -1)
[ "${missing:-0}" -ge 27 ] && pass "$missing reports without a level were counted" ||
	fail "rssi_unavailable is ${missing:-missing}, expected 30 or nearly"
check "the status says online, then offline" \
	test "$(messages status | field state | uniq | tr '\n' ' ')" = "online offline "
radio_stop

# --- a controller of Bluetooth 5.0 ------------------------------------------------------------------
radio extended -x
mark
node_start extended
check "the node turned the scan on, with extended commands and no filter" \
	wait_for 30 grep -q 'COMMAND 2042 \[010000000000\] -> 00' /out/extended.radio
check "the second script was played" wait_for 40 grep -q '!mark over' /out/extended.radio
sleep 2
node_stop
check "the node stops again" wait_for 5 node_is_gone
sleep 1
collect extended
compare /rig/extended.expected
radio_stop
