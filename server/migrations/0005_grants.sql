-- The role that the application's pools take on: everything but the audit log's past and the ledger's.
do $$ begin
  if not exists (select from pg_roles where rolname = 'ghanti_app') then create role ghanti_app nologin; end if;
exception when duplicate_object or unique_violation then null; -- two databases of one server migrate at once
end $$;
do $$ begin -- since PostgreSQL 16 whoever makes a role may not take it on by that alone
  if not pg_has_role(current_user, 'ghanti_app', 'set') then execute format('grant ghanti_app to %I', current_user); end if;
end $$;
grant usage on schema public to ghanti_app;
grant select, insert, update, delete on all tables in schema public to ghanti_app;
grant usage, select on all sequences in schema public to ghanti_app;
alter default privileges in schema public grant select, insert, update, delete on tables to ghanti_app;
alter default privileges in schema public grant usage, select on sequences to ghanti_app;
revoke update, delete on audit_log, transfer, attempt, campaign_event from ghanti_app;
select make_partitions('attempt', 0, 10000000, 2) + make_partitions('transfer', 0, 10000000, 2);
