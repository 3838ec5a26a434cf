-- When the engine itself called a test number last, and how often today: it asks before each such call.
create index trunk_test_own on trunk_test (phone, taken_at) where by_user_id is null;
