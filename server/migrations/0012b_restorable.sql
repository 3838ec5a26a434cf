-- A backup is put back table by table, each after those that it refers to: plan and users must not refer to each other.
alter table plan drop constraint if exists plan_created_by_fkey;
