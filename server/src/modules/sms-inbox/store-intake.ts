import { CompiledQuery } from 'kysely'
import type { Db } from '../../db/db.ts'
import { inboxLimits, type NewIncoming } from './rules.ts'

/**
 * Stores each message once, however often the gateway repeats it, within the limits of its number and gateway. What exceeds them is counted
 * and raises an alert; the first opt-out of a number and day is kept anyway. Concurrent runs may keep slightly more.
 * $1 gateway, then arrays as in NewIncoming; $10 messages per number, $11 per gateway, $12 per gateway with opt-outs
 */
const intakeSql = `with today as materialized (
  select nepal_day(now()) as day, nepal_midnight(nepal_day(now())) as since
), reported as materialized (
  select distinct on (key) * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::jsonb[], $8::bigint[], $9::sms_word[]) with ordinality
    as t (key, from_number, to_number, text, at, part, phone, word, n) order by key, n
), fresh as materialized (
  select t.*, row_number() over (partition by t.from_number order by t.n) as of_number, row_number() over (partition by t.from_number, t.word order by t.n) as of_word,
    (select count(*) from (select i.received_at from sms_inbox i where i.from_number = t.from_number order by i.id desc limit $10::int) x, today d where x.received_at >= d.since) as had
  from reported t where not exists (select from sms_inbox i where i.gateway_id = $1::int and i.key = t.key)
), before as materialized (
  select coalesce((select c.inbox_kept from sms_gateway_count c, today d where c.gateway_id = $1::int and c.inbox_day = d.day), 0) as kept
), matched as materialized (
  select f.*, f.had + f.of_number > $10::int as of_one, row_number() over (order by f.n) + b.kept > $11::int as of_all, row_number() over (order by f.n) + b.kept > $12::int as too_many
  from fresh f, before b
), stored as (
  insert into sms_inbox (gateway_id, key, from_number, to_number, text, at, part, phone, word)
  select $1::int, key, from_number, to_number, text, at, part, phone, word from matched m
  where not (of_one or of_all) or word = 'stop' and phone is not null and of_word = 1 and not too_many
    and not exists (select from (select i.word, i.received_at from sms_inbox i where i.from_number = m.from_number order by i.id desc limit $10::int + 1) x, today d
      where x.word = 'stop' and x.received_at >= d.since)
  order by n on conflict do nothing returning 1
), counted as (
  insert into sms_gateway_count as c (gateway_id, inbox_day, inbox_kept, inbox_dropped)
  select $1::int, d.day, (select count(*) from stored), (select count(*) from fresh) - (select count(*) from stored) from today d where exists (select from fresh)
  on conflict (gateway_id) do update set inbox_day = excluded.inbox_day, inbox_kept = case when c.inbox_day = excluded.inbox_day then c.inbox_kept else 0 end + excluded.inbox_kept,
    inbox_dropped = c.inbox_dropped + excluded.inbox_dropped
)
select raise_alert('inbox_flood', 'gateway ' || $1::int, case when m.of_all then 'it sent more than ' || $11::int || ' messages today: further ones are not kept'
  else m.from_number || ' sent more than ' || $10::int || ' messages today: further ones are not kept' end)
from (select distinct on (of_all) of_all, from_number from matched where of_one or of_all order by of_all, n) m`

type Run = (text: string, values: unknown[]) => Promise<unknown>

export const overDb =
  (db: Db): Run =>
  (text, values) =>
    db.executeQuery(CompiledQuery.raw(text, values))

export async function storeIncoming(run: Run, gatewayId: number, these: readonly NewIncoming[]): Promise<void> {
  if (these.length === 0) return
  const column = <K extends keyof NewIncoming>(key: K): NewIncoming[K][] => these.map((one) => one[key])
  const columns = [column('key'), column('from'), column('to'), column('text'), column('at'), column('part')]
  const { number, gateway, optOuts } = inboxLimits
  await run(intakeSql, [gatewayId, ...columns, column('phone'), column('word'), number, gateway, optOuts])
}
