import { fenced, leaseFence, run, statement, type Lease, type Queryable } from '../../dispatch/statement.ts'

/** The actor in lines of the audit log that an engine writes. */
const origin = 'engine'

const takeBackStatement = statement<{ dialer_id: number }>(
  'take_back',
  `with ${leaseFence}, back as (
  update dialer d set given_up_at = null, given_up_reason = null from lease where d.id = $1 and d.given_up_at is not null
  returning d.id, d.name, old.given_up_reason
), audit as (
  insert into audit_log (action, target, ip, detail)
  select 'dialer.return', 'dialer ' || id, '${origin}', jsonb_build_object('name', name, 'reason', given_up_reason) from back
)
select id as dialer_id from back`,
)

/** The dialer answers again: calls may begin there as before. False: nobody had given it up. */
export async function takeBack(db: Queryable, lease: Lease): Promise<boolean> {
  return (await run(db, takeBackStatement, fenced(lease))).length > 0
}

/** What the dialer knows of an attempt that was settled as LOST. Null: nobody answered. */
type Proof = { attemptId: number; talkMs: number | null }

const noteStatement = statement<{ n: number }>(
  'note_proven',
  `with ${leaseFence}, notes as (
  insert into attempt_proof (attempt_id, talk_ms)
  select t.id, t.ms from lease, unnest($4::bigint[], $5::int[]) as t (id, ms) join attempt a on a.id = t.id and a.disposition = 'LOST'
  on conflict do nothing returning talk_ms
), audit as (
  insert into audit_log (action, target, ip, detail)
  select 'dialer.prove', 'dialer ' || $1::int, '${origin}', jsonb_build_object('lost', count(*), 'answered', count(talk_ms)) from notes having count(*) > 0
)
select count(*)::int as n from notes`,
)

/** Writes a note on each, once, and one line of the audit log for all of them. Changes nothing that was settled. Returns how many are new. */
export async function noteProven(db: Queryable, lease: Lease, proofs: readonly Proof[]): Promise<number> {
  if (proofs.length === 0) return 0
  const ids = proofs.map(({ attemptId }) => attemptId)
  const talks = proofs.map(({ talkMs }) => talkMs && Math.round(talkMs))
  return (await run(db, noteStatement, [...fenced(lease), ids, talks]))[0]?.n ?? 0
}
