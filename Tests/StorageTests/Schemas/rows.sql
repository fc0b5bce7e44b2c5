-- Rows for the frozen databases of ./freeze: after each migration those of its tables. New ones
-- stand under the number of the migration that they are made for; old ones are never edited.

-- schema 1
INSERT INTO revision VALUES (1, 1760000000000, 'site gym added');
INSERT INTO revision VALUES (2, 1760000060000, 'beacon b-4 added' || char(10) || 'user u-dan retired');
INSERT INTO site VALUES (1, 'gym', 'The Gym', 'Europe/Berlin', 0, '{"publishesUnregistered":false,"room":{"enter":5000,"leave":30000,"lost":15000},"site":{"enter":10000,"leave":90000,"lost":30000},"siteFloor":-95,"station":{"enter":5000,"leave":20000,"lost":10000},"stationFloor":-75}', 2);
INSERT INTO room VALUES (1, 'hall', 'Hall', NULL);
INSERT INTO room VALUES (2, 'yard', 'Yard', NULL);
INSERT INTO room VALUES (3, 'attic', 'Attic', 1760000060000);
INSERT INTO station VALUES (1, 'rack', 'Rack', 1, 2, 1.5, 2.0, NULL);
INSERT INTO station VALUES (2, 'rower', 'Rower', 2, 1, NULL, NULL, NULL);
INSERT INTO node VALUES (1, 'n-hall', 'Pi 1', 1, NULL, NULL, NULL, NULL);
INSERT INTO node VALUES (2, 'n-rack', 'Pi 2', 1, 1, 0.0, 0.25, NULL);
INSERT INTO user VALUES (1, 'u-ann', 'Ann', NULL);
INSERT INTO user VALUES (2, 'u-bob', 'Böb “O''Neil”', NULL);
INSERT INTO user VALUES (3, 'u-dan', 'Dan', 1760000060000);
INSERT INTO beacon VALUES (1, 'b-1', 'Red', 'mac-c0ffee000001', NULL);
INSERT INTO beacon VALUES (2, 'b-2', 'Blue', 'mac-c0ffee000002', NULL);
INSERT INTO beacon VALUES (3, 'b-3', 'Lost', 'mac-c0ffee000002', 1760000000500);
INSERT INTO beacon_binding VALUES (1, 1, 1, 1760000000000, NULL);
INSERT INTO beacon_binding VALUES (2, 2, 3, 1760000000000, 1760000060000);
INSERT INTO beacon_binding VALUES (3, 2, 2, 1760000060000, NULL);
INSERT INTO site_state VALUES (1, 1762592000000, 100, x'', '[{"boot":7,"heard":1762591999000,"messages":8,"node":1,"offset":3,"shifts":[{"seconds":0,"since":0}]}]');
INSERT INTO ledger VALUES (1, x'020000000000000070170000000000000100000000000000415a70039b010000eeff70039b010000');
INSERT INTO ledger VALUES (2, x'');
INSERT INTO presence VALUES (1, '{"unknown":{}}', '{"notPresent":{}}');
INSERT INTO presence VALUES (2, '{"notPresent":{}}', '{"leaving":{"_0":1,"heard":1762591987574,"quiet":9,"since":1762591927574}}');
INSERT INTO answer VALUES (1, 'kiosk', 'r-1', 1762592060000, '{"at":1762592060000,"outcome":{"workout":{"_0":{"from":1762590300000,"id":12,"pauses":[],"state":"active","station":1,"user":2}}},"request":{"client":"kiosk","id":"r-1","verb":{"startWorkout":{"_0":2,"_1":1}}}}');
INSERT INTO refused_input VALUES (1, 1760000070000, 'session(…)', 'sessions of a user overlap');
INSERT INTO attendance_session VALUES (1, 1, 1760003600000, 1760007200000, 0, 0);
INSERT INTO attendance_session VALUES (2, 1, 1762584800000, 1762588400000, 0, 1);
INSERT INTO attendance_session VALUES (3, 2, 1762590200000, NULL, 0, 1);
INSERT INTO attendance_session VALUES (4, 2, 1760003600000, 1760003600000, 1, 0);
INSERT INTO stay VALUES (5, 1, 'room', 1, NULL, 1760003600000, 1760007200000);
INSERT INTO stay VALUES (6, 2, 'station', NULL, 1, 1762590300000, NULL);
INSERT INTO workout VALUES (11, 1, 2, 'completed', 1760003700000, 1760006700000, NULL, 60000);
INSERT INTO workout VALUES (12, 2, 1, 'active', 1762590300000, NULL, NULL, 0);
INSERT INTO workout_pause VALUES (11, 0, 1760004000000, 1760004060000);
INSERT INTO workout_set VALUES (1, 11, 2, 1, 'row', 10, 42500, 1760005000000);
INSERT INTO workout_set VALUES (2, 12, NULL, 1, 'pull-up', 8, NULL, 1762590400000);
INSERT INTO station_claim VALUES (13, 2, 1, 1, 11, 1760003700000, 1760006700000);
INSERT INTO station_claim VALUES (14, 1, 2, 2, 12, 1762590300000, NULL);
INSERT INTO event VALUES (20, 'attendance.checked-in', 1760003600000, 1, NULL, NULL, 1);
INSERT INTO event VALUES (21, 'workout.started', 1762590300000, 2, NULL, 1, 12);

-- schema 2
INSERT INTO node_cursor VALUES (1, '00000000000000a1', 279, 1760000000000);
INSERT INTO evidence VALUES (1, '00000000000000a1', 279, 1762591502114, '9cf3ca3733622900', 1762591442114, 1762591502114, 1762591442114, 'taken', 60000, -95.0, 1, x'0305', x'01000000000928000cfedafd');
INSERT INTO node_event VALUES (1, '00000000000000a1', 278, 1762591502114, '9cf3ca3733622900', 1762591402114, 1762591402114, 'battery-low', NULL, 1, 2.4);

-- schema 3
INSERT INTO node VALUES (3, 'n-ann', 'Ann''s phone', 1, NULL, NULL, NULL, NULL, 1);
INSERT INTO beacon VALUES (4, 'f-rack', 'At the rack', 'mac-000000000007', NULL, NULL, 1);
INSERT INTO beacon VALUES (5, 'f-yard', 'Yard', 'mac-000000000008', NULL, 2, NULL);

-- schema 4
INSERT INTO beacon VALUES (6, 'b-6', 'Loud', 'mac-c0ffee000006', NULL, NULL, NULL, -70.5);

-- schema 5
INSERT INTO reasons VALUES (1, 2, 1762590300000, 'margin', 1, NULL, 1, 1, 0.388, '{"model":3,"prior":0.25,"readings":[["node",2,1,-58.1,400,-60.7,-1.23,-4.56]],"runner_up":[2,null],"runner_up_prior":0.5,"runner_up_probability":0.04,"spot_weight":0.85}');

-- schema 6
UPDATE room SET low_x_m = 0, low_y_m = 0, high_x_m = 8.5, high_y_m = 6 WHERE id = 1;
INSERT INTO survey VALUES (1, 1, 1, 1, 'stand', 'b-1', 1762500000000, 1, '[{"node":1},{"node":2}]', x'0000000001000000a8fd');
INSERT INTO model VALUES (1, 1762500060000, 'applied', 1, 1, 2, 0.93, '{"fit":{"strange":2,"usual":1},"revision":1,"spots":[{"isWhole":false,"levels":[{"chance":0.9,"ear":{"node":1},"median":-60,"scale":4},{"chance":0.9,"ear":{"node":2},"median":-60,"scale":4}],"place":{"room":1,"station":1},"seconds":60},{"isWhole":false,"levels":[{"chance":0.9,"ear":{"node":1},"median":-70,"scale":4},{"chance":0.9,"ear":{"node":2},"median":-80,"scale":4}],"place":{"room":2},"seconds":60}]}');

-- schema 7
INSERT INTO device_offset VALUES (1, 2, NULL, '{"room":1,"station":1}', NULL, -3.4, -3, 9511, 1762000000000, 1762500000000, 1, 13.1);
INSERT INTO device_offset VALUES (2, NULL, 2, '{"room":1}', NULL, -0.1, -11, 895, 1762000000000, 1762500000000, 0, NULL);

-- schema 8
UPDATE attendance_session SET review = '["too-long"]' WHERE id = 2;
UPDATE site_state SET watermark_ms = 1762591940000, watermarks = '[{"node":1,"through":1762591940000},{"node":2,"through":1762591940000}]';
INSERT INTO statement VALUES (1, 1, 'check-in', 1760003600000, 1760003601000, 'kiosk', NULL);
INSERT INTO statement VALUES (2, 1, 'check-out', 1760007200000, 1760010000000, 'u-ann', 'forgot');

-- schema 9
INSERT INTO coarse_stay VALUES (1, 1, 2, 1761000000000, 1761000600000);
INSERT INTO coarse_fill VALUES (1, 1762590000000);

-- schema 10
INSERT INTO audit_log VALUES(1,1760000000000,'cli','import','revision','1',NULL,'ceb6e7191eb4e3a574251970839ecac92f140ad3bd49beb04c3293eec0b0db9c',NULL,'83ff8feb4e36eedefdae4c21170af549283642ebe79f2837296aa734de2a7861','0000000000000000000000000000000000000000000000000000000000000000','029140dbdc648c350512cb71a1df183a120035f553613a9d48d3b430892e648f');
INSERT INTO audit_value VALUES(1,'actor','1ab5697457de629cdea15ba06699874b','import');
INSERT INTO audit_value VALUES(1,'after','8d65323c3edc69f2b8472ffb9f982e26','{"changes":14}');
INSERT INTO audit_log VALUES(2,1762592000000,'cli','request','correction','1',1,'fe5b726193f44b78424527b6760441f949acb64b8ea14c1f15def13d2922e843',NULL,'70f49cb091809009c8a843f783f3a2248c110952d2a77e44c146cd3350a3febd','029140dbdc648c350512cb71a1df183a120035f553613a9d48d3b430892e648f','8e9ba394320fe3dff59896ee981cac92606c78090c2de5382b97f44d981f854a');
INSERT INTO audit_value VALUES(2,'actor','a6a31ce92f270849edde9b63c1104d74','mia');
INSERT INTO audit_value VALUES(2,'after','515bd70e2fcd01efb99deb73568a9d51','{"change":"times","new_from_ms":1762585000000,"new_to_ms":1762588400000,"old_from_ms":1762584800000,"old_to_ms":1762588400000,"reason":"forgot","session":2,"state":"pending"}');
INSERT INTO audit_log VALUES(3,1762592000000,'cli','approve','correction','1',1,'142bf345f3364437eb1e411b884f5108887adf22dc475b1c1d9d00e49d56c100','137744dfa4b3ea3e9036c396daf967550dff7fcaa0eb97e392dafaef275e1a87','0c8c99193ac6c2399c8ca3d2b1c08f0d085020c27ee4b29ca08c8061ea5eb5dd','8e9ba394320fe3dff59896ee981cac92606c78090c2de5382b97f44d981f854a','f2424a06fb84e4c33fba16906672d33f409237e8e3827aa2747437fa9ae3627c');
INSERT INTO audit_value VALUES(3,'actor','9632a2c02500d96591c3244aeae0d4e7','mia');
INSERT INTO audit_value VALUES(3,'after','5cb1177f81b131e89fda42e464d4bdc8','{"change":"times","decision_reason":"seen","new_from_ms":1762585000000,"new_to_ms":1762588400000,"old_from_ms":1762584800000,"old_to_ms":1762588400000,"reason":"forgot","session":2,"state":"approved"}');
INSERT INTO audit_value VALUES(3,'before','e522b1aabc870f4e7a0b7ca0742a4344','{"change":"times","new_from_ms":1762585000000,"new_to_ms":1762588400000,"old_from_ms":1762584800000,"old_to_ms":1762588400000,"reason":"forgot","session":2,"state":"pending"}');
INSERT INTO audit_log VALUES(4,1795369340984,'cli','request','correction','2',1,'20a8a5fed6af20ea3181d550af10b0a35321128897f4134ce620af35c192c753',NULL,'a86b32571aa3f9c3701a4b7b52fb02424b3e4460d30f16b33044326252613a5e','f2424a06fb84e4c33fba16906672d33f409237e8e3827aa2747437fa9ae3627c','58822af55c069dbea52e0c3141a5441dca62e8bd22f76cc2d599e356eb63a614');
INSERT INTO audit_value VALUES(4,'actor','678d3fe8e335c745867f4b0efd338c41','mia');
INSERT INTO audit_value VALUES(4,'after','14c8c98c9075de82a260a699535e4d14','{"change":"reviewed","old_from_ms":1762584800000,"old_to_ms":1762588400000,"reason":"looked at","session":2,"state":"pending"}');
INSERT INTO audit_log VALUES(5,1795369341030,'cli','approve','correction','2',1,'a7e5872672885828159d1d19f9bcecc64d7dd6b2ef569c06100432ddbe355501','c550882b5abb39642ee2a76be8034cb472bc17512086eb2de42b359f34c27241','ae4868b45b5499c020f49f6eea5f91cab3b38de2d1d6ed4907c82b3bf5406c32','58822af55c069dbea52e0c3141a5441dca62e8bd22f76cc2d599e356eb63a614','785a1617b473b1fb7e67093e9a5021a245fcdd04d4f7dd2e89b92a4339757547');
INSERT INTO audit_value VALUES(5,'actor','cea0cc0f73c886832a6e61d8f02de663','mia');
INSERT INTO audit_value VALUES(5,'after','51a53cd403a819769315974c3f98f6d8','{"change":"reviewed","decision_reason":"as it is","old_from_ms":1762584800000,"old_to_ms":1762588400000,"reason":"looked at","session":2,"state":"approved"}');
INSERT INTO audit_value VALUES(5,'before','3b268ee8ed9ed63c66bd752ed1e0645e','{"change":"reviewed","old_from_ms":1762584800000,"old_to_ms":1762588400000,"reason":"looked at","session":2,"state":"pending"}');
INSERT INTO audit_log VALUES(6,1795369341110,'cli','lock','period_lock','1',NULL,'d1d695715ed26ccd86b5a7052790548b250a12d0188e103a3d5e828d612ed091',NULL,'30808775244c067055703f78659828e6665bed512612ca7df57d98dd6573b671','785a1617b473b1fb7e67093e9a5021a245fcdd04d4f7dd2e89b92a4339757547','9fbbf00f9021e555d607ecc7db170fec2e64529299262ac93b02af7981fb55ec');
INSERT INTO audit_value VALUES(6,'actor','0e58c071f027ad2a237eb40b34eb2e17','mia');
INSERT INTO audit_value VALUES(6,'after','decef82d0937a0b88ad4e90f91749345','{"id":1,"listed_from_ms":0,"locked_by":"mia","locked_ms":1795369341110,"reason":"month end","through_date":"2025-10-08","through_ms":1759960800000}');
INSERT INTO correction VALUES(1,'person','times',2,1,1,1762584800000,1762588400000,1762585000000,1762588400000,NULL,'forgot',1762592000000,'mia','approved',1762592000000,'mia','seen');
INSERT INTO correction VALUES(2,'person','reviewed',2,1,1,1762584800000,1762588400000,NULL,NULL,NULL,'looked at',1795369340984,'mia','approved',1795369341030,'mia','as it is');
INSERT INTO session_review VALUES(1,2,'["too-long"]','mia',1795369341030,'as it is');
INSERT INTO period_lock VALUES(1,'2025-10-08',1759960800000,'mia',1795369341110,'month end');
INSERT INTO retention_run VALUES (1, 1762567200000, 'evidence', 1761357600000, 17, '1:029140dbdc648c350512cb71a1df183a120035f553613a9d48d3b430892e648f');
INSERT INTO consent VALUES (1, 1, '2025-09', 1760000000000, 'mia', NULL);
INSERT INTO consent VALUES (2, 2, '2025-09', 1760000000000, 'mia', 1760000500000);
INSERT INTO erased_slug VALUES ('5340595930d4fc5854f75e39cb0e6c0c3427483cee304868597b724fae7c0084', '1ab5697457de629cdea15ba06699874b');

-- schema 11
UPDATE site SET day_start_min = 240;
INSERT INTO site_zone VALUES (1762000000000, 'Europe/Berlin');
INSERT INTO shift VALUES (1, 'early', 'Early', 360, 840, 60, 60, 5, 0, 30, 240, 0, NULL);
INSERT INTO shift_assignment VALUES (1, 1, 1, '2025-10-01', NULL, 31);
INSERT INTO leave_day VALUES (2, '2025-12-24', 'holiday', 1);
INSERT INTO feed VALUES (1, x'abababababababababababababababababababababababababababababababab', 1, 'shifts', 1760000000000, NULL);

-- schema 12
INSERT INTO notification VALUES (1, 1, 'arrival', 'event-20', 1, '1', 'Ann is here', 'since 10:00', 1760003600000, 1760003601000, 1760003601000, 0, 1760003602000);
INSERT INTO webhook VALUES (1, 'https://example.org/hook', '0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f', '["arrival"]', 1, 1760000000000, NULL);
INSERT INTO webhook VALUES (2, 'https://example.org/old', '', '[]', 0, 1760000000000, 1760000500000);
INSERT INTO delivery VALUES (1, 1, 1760003601000, 1760003601000, 1, 'delivered', 204, NULL, 1760003602000);

-- schema 13
INSERT INTO node_excuse VALUES (1, 2, 'mia', 1762592000000, 'stolen', NULL, NULL);

-- schema 14
UPDATE ledger SET checkpoint = '{"at":1762584000000,"atTwoSites":0,"group":{"isHeld":false,"last":1762583000000,"session":{"breaks":[],"from":1762580000000,"inCause":"heard","lastHeard":1762583000000,"review":["coverage-gap"]}}}' WHERE user = 1;

-- schema 15
UPDATE overrides SET revision = 3, taken = '{"amendments":[],"excuses":[],"revision":3}';

-- schema 16
INSERT INTO notification VALUES (2, 1, 'forgotten-tag', 'stray-2', 1, '2', '', '', 1760003700000, 1760003701000, 1760003701000, 0, NULL, 1760003600000);

-- schema 17
INSERT INTO erasure_debt VALUES (2, 0, '[{"by":"erased","text":"Zoe"}]', '{"blanked":{},"deleted":{"stay":3},"sessions_kept":0,"user":"u-aaaaaaaaaaaaaaaa"}');

-- schema 18
INSERT INTO survey VALUES (2, 2, 2, NULL, 'walk', 'b-2', 1762500100000, 1, '[{"node":1},{"node":2}]', x'0000000001000000a8fd', '[3,-1.5]');

-- schema 19
INSERT INTO account VALUES (1, 'ada', 'owner', 1, 1762600000000, 1762600100000, NULL);
INSERT INTO account VALUES (2, 'desk', 'manager', NULL, 1762600000000, NULL, 1762600200000);
INSERT INTO account_password VALUES (1, '$scrypt$ln=13,r=8,p=10$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g', 1762600000000);
INSERT INTO invitation VALUES (x'0101010101010101010101010101010101010101010101010101010101010101', 2, 1762600000000, 1763200000000);
INSERT INTO web_session VALUES (x'0202020202020202020202020202020202020202020202020202020202020202', 1, 1762600000000, 1762600100000);
INSERT INTO token VALUES (1, 'crm', x'0303030303030303030303030303030303030303030303030303030303030303', 'integration', '["people:read"]', NULL, 1762600000000, NULL, 1762600050000, NULL);
INSERT INTO sharing VALUES (1, 1762600000000);
INSERT INTO http_request VALUES ('token:crm', 'k-1', x'0404040404040404040404040404040404040404040404040404040404040404', 1762600000000, 201, '{}');

-- schema 20
INSERT INTO broker_identity VALUES (1, 'n-hall', 'node', NULL, '$7$101$c2FsdHNhbHRzYWx0$aGFzaA==', '[]', 1762500000000, NULL);
INSERT INTO broker_identity VALUES (2, 'ann-phone', 'member', 1, '', '[]', 1762500000000, 1762500100000);
INSERT INTO broker_identity VALUES (3, 'desk', 'integration', NULL, '$7$101$c2FsdHNhbHRzYWx0$aGFzaA==', '["requests"]', 1762500000000, NULL);

-- schema 21
INSERT INTO beacon_identity (beacon, identity, from_ms, to_ms) VALUES (2, 'mac-c0ffee00000e', 1759000000000, 1760000000000);
UPDATE beacon_binding SET to_ms = from_ms + 31536000000, until_ms = from_ms + 31536000000 WHERE id = 1;

-- schema 22
INSERT INTO workout VALUES (10, 1, NULL, 'cancelled', 'presence', 1760003610000, 1760003690000, NULL, NULL, 20000);
INSERT INTO workout_pause VALUES (10, 0, 1760003620000, 1760003640000, 'left');
INSERT INTO workout_set VALUES (3, 11, 1, '6F9619FF-8B86-d011-b42d-00c04fc964ff', 2, 2, 'row', 'warm-up', 1760005100000, NULL, NULL, 600, NULL, 3, 'calm', NULL, NULL, 0, 1, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
INSERT INTO workout_set VALUES (4, 12, 2, '6f9619ff-8b86-d011-b42d-00c04fc964ff', 2, 1, 'squat', 'failure', 1762590500000, 4, 102500, NULL, NULL, 0, NULL, 5, 105000, 1, 2, '00c04fc964ff8b86');
INSERT INTO station_queue VALUES (15, 2, 1, 1760003605000, 1760003725000, 1760003700000, 'accepted');
INSERT INTO station_queue VALUES (16, 2, 2, 1762590310000, NULL, NULL, NULL);
INSERT INTO station_downtime VALUES (17, 1, 1760000000000, 1760001000000, 'belt torn', 'mia');
INSERT INTO station_downtime VALUES (18, 2, 1762590320000, NULL, NULL, 'cli');

-- schema 23
INSERT INTO answered_request VALUES ('http:account:ada', 'k-2', 1762600000000, NULL, x'0505050505050505050505050505050505050505050505050505050505050505', 201, NULL);

-- schema 24
INSERT INTO exercise VALUES (1, 'bench-press', 'Bench press', '{"de": "Bankdrücken"}', 'reps', 'weight', 2500, 180, '["chest", "triceps"]', 5.0, NULL, NULL);
INSERT INTO exercise VALUES (2, 'plank', 'Plank', NULL, 'time', 'none', 2500, 90, NULL, NULL, 'on a mat', NULL);
INSERT INTO exercise VALUES (3, 'old', 'Old', NULL, 'distance', 'bodyweight', 1, 1, '["cardio"]', 30.0, NULL, 1760000060000);
INSERT INTO station_exercise VALUES (1, 0, 1);
INSERT INTO station_exercise VALUES (1, 1, 2);

-- schema 26
INSERT INTO workout VALUES (4503599627370497, 1, NULL, 'completed', 'request', 1750000000000, 1750003600000, NULL, NULL, 0, 1, 'Push "day"');
INSERT INTO workout_set VALUES (4503599627370497, 4503599627370497, 1, '018f7f5e-0000-8000-8000-000000000001', 1, NULL, 'row', 'working', 1750000600000, 8, 60000, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1, '0505050505050505', 1750000600000, NULL, NULL, '');

-- schema 27
INSERT INTO record_notice VALUES (1, 1760000000000);
INSERT INTO notification (epoch, kind, cause, user, subject, title, body, at_ms, made_ms, due_ms, late, told_ms) VALUES (1, 'record', 'event-30', 1, 'row', '', '', 1760003800000, 1760003801000, 1760003801000, 0, NULL);

-- schema 28
UPDATE presence SET watch = '{"asked":1762591900000,"away":9,"heard":1762591987574}' WHERE user = 2;

-- schema 29
INSERT INTO workout_note VALUES (1, 10, 1760003700000, 'mia', 'knees "out"');
INSERT INTO workout_note VALUES (2, 12, 1762590600000, 'cli', 'good');

-- schema 30
INSERT INTO activity_source VALUES (1, 1, 'Pixel "8"', 0);
INSERT INTO activity_source VALUES (2, 1, '(demo)', 1);
INSERT INTO activity_sample VALUES (1, 1, 1, x'000102030405060708090a0b0c0d0e0f', 1760003600000, 1760004500000, 900, NULL, NULL, 1);
INSERT INTO activity_sample VALUES (2, 1, 1, x'100102030405060708090a0b0c0d0e0f', 1760003600000, 1760004500000, 950, 700500, 33300, 0);
INSERT INTO activity_setting VALUES (1, 'mi', 'Pixel "8"', 1800, 80500, NULL, 1080, 65);
INSERT INTO activity_setting VALUES (2, 'km', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO activity_goal VALUES (1, '2025-10-01', 8000);
INSERT INTO activity_goal VALUES (1, '2025-11-01', NULL);
INSERT INTO goal_hit VALUES (1, '2025-10-09', 1760040000000);

-- schema 31
INSERT INTO activity_interval VALUES (1, 1, 1, x'000102030405060708090a0b0c0d0e0f', 'walking', 1760003600000, NULL, 0);
INSERT INTO activity_interval VALUES (2, 1, 1, x'100102030405060708090a0b0c0d0e0f', 'running', 1760004600000, 1760005500000, 0);
INSERT INTO heart_rate VALUES (1, 1, 1, x'000102030405060708090a0b0c0d0e0f', 1760003600000, 72, 1);
INSERT INTO heart_rate VALUES (2, 1, 1, x'100102030405060708090a0b0c0d0e0f', 1760003600000, 74, 0);

-- schema 32
INSERT INTO activity_sharing VALUES (1, 'heart_rate', 1762590000000);

-- schema 33
UPDATE site_state SET stations = '[{"mark":-5,"since":1762591000000,"station":1}]';

-- schema 34
UPDATE workout SET stated = 1 WHERE id = 10;

-- schema 35
INSERT INTO sharing VALUES (2, 'training', 1762590000000);

-- schema 36
-- An index alone.
