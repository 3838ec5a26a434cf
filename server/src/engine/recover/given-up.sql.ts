import { fenced, leaseHeld, run, statement, type Lease, type Queryable } from '../statement.ts'

/** Who the audit log says was there, where an engine writes a line of it. */
const origin = 'engine'

const takeBackStatement = statement<{ dialer_id: number }>(
  'take_back',
  `with ${leaseHeld}, back as (
  update dialer d set given_up_at = null, given_up_reason = null from lease where d.id = $1 and d.given_up_at is not null
  returning d.id, d.name, old.given_up_reason
), said as (
  insert into audit_log (action, target, ip, detail)
  select 'dialer.return', 'dialer ' || id, '${origin}', jsonb_build_object('name', name, 'reason', given_up_reason) from back
)
select id as dialer_id from back`,
)

/** It answers again: calls may begin there as before. False: nobody had given it up. */
export async function takeBack(db: Queryable, lease: Lease): Promise<boolean> {
  return (await run(db, takeBackStatement, fenced(lease))).length > 0
}

/** What its dialer knows of an attempt that was booked as LOST; null: nobody answered. */
type Proof = { attemptId: number; talkMs: number | null }

const noteStatement = statement<{ n: number }>(
  'note_proven',
  `with ${leaseHeld}, noted as (
  insert into attempt_proof (attempt_id, talk_ms)
  select t.id, t.ms from lease, unnest($4::bigint[], $5::int[]) as t (id, ms) join attempt a on a.id = t.id and a.disposition = 'LOST'
  on conflict do nothing returning talk_ms
), said as (
  insert into audit_log (action, target, ip, detail)
  select 'dialer.prove', 'dialer ' || $1::int, '${origin}', jsonb_build_object('lost', count(*), 'answered', count(talk_ms)) from noted having count(*) > 0
)
select count(*)::int as n from noted`,
)

/** A note on each, once, and a line of the audit log on all of them. Nothing that was booked changes. Answers how many are new. */
export async function noteProven(db: Queryable, lease: Lease, proofs: readonly Proof[]): Promise<number> {
  if (proofs.length === 0) return 0
  const ids = proofs.map(({ attemptId }) => attemptId)
  const talks = proofs.map(({ talkMs }) => talkMs && Math.round(talkMs))
  return (await run(db, noteStatement, [...fenced(lease), ids, talks]))[0]?.n ?? 0
}
