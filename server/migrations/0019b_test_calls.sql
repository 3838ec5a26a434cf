-- A test call is a campaign without a name of its own and without a line in campaign_progress, so no list, count or report knows it; the engine,
-- its judge, the caps and the money know no difference but that no row is dialled again.
alter table campaign add is_test boolean not null default false, add test_of int references campaign, add check (test_of is null or is_test);
create index campaign_test on campaign (account_id, id) where is_test;
-- What happened in each test call, as it happened. seq: of one call.
create table test_call_line (
  id bigint generated always as identity primary key, campaign_id int not null references campaign, no int not null,
  at timestamptz not null, seq int not null, line jsonb not null
);
create index test_call_line_call on test_call_line (campaign_id, no, at, seq);

create or replace function campaign_noticed() returns trigger language plpgsql as $$
declare told notice_kind;
begin
  if new.is_test then return null; end if; -- who tests looks on
  told := case new.status
    when 'complete' then 'campaignComplete' when 'lowBalance' then 'campaignOutOfMoney' when 'onHold' then 'campaignHeld'
    when 'refused' then 'campaignFailed' when 'failed' then 'campaignFailed' else 'campaignStopped' end;
  perform give_notice(new.account_id, told, new.id, (select name from campaign_detail where campaign_id = new.id), new.reason, null);
  return null;
end $$;
