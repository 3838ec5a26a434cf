import type { SmsWord } from '../../db/tables.ts'
import { run, statement, type Queryable } from '../../dispatch/statement.ts'
import { fenced, leaseFence, type SmsLease } from '../model/lease.sql.ts'

/** The actor in lines of the audit log about people who wrote back. */
const origin = 'engine'

/** The newest messages that may have reached a number: those that a gateway accepted, or may have accepted. */
const reachedBy = (phone: string, newest: number): string => `(
    (select s.id, s.account_id, s.campaign_id from sms_sent s where s.phone = ${phone} and (s.accepted > 0 or s.result = 'unknown') order by s.id desc limit ${newest})
    union all (select o.id, o.account_id, o.campaign_id from sms_open o where o.phone = ${phone} order by o.id desc limit ${newest})
  )`

/** How many messages are searched for the sender ID that somebody answered. */
const newestLooked = 20

/** An answer belongs to the account that wrote under the answered sender ID; if none did, to the one that reached the number last. $4 rows */
const ordinaryStatement = statement<{ id: number }>(
  'sms_keep_ordinary',
  `with ${leaseFence}, messages as materialized (
  select i.id, i.phone, i.to_number from sms_inbox i, lease where i.action = 'waiting' and i.word is null order by i.id limit $4 for update of i skip locked
), accounts as materialized (
  select w.id, r.account_id, r.campaign_id from messages w left join lateral (
    select n.account_id, n.campaign_id from ${reachedBy('w.phone', newestLooked)} n left join sms_campaign c on c.id = n.campaign_id
    order by (lower(c.sender) = lower(w.to_number)) is true desc, n.id desc limit 1) r on true
)
update sms_inbox i set action = 'kept', account_id = f.account_id, campaign_id = f.campaign_id from accounts f where i.id = f.id returning i.id`,
)

/** Assigns messages that ask for nothing to their accounts. Returns how many. */
export async function keepOrdinary(db: Queryable, lease: SmsLease, rows: number): Promise<number> {
  return (await run(db, ordinaryStatement, [...fenced(lease), rows])).length
}

export type WaitingWord = { id: number; word: SmsWord; phone: number | null }

const waitingStatement = statement<WaitingWord>(
  'sms_waiting_words',
  `select id, word, phone from sms_inbox where action = 'waiting' and word is not null order by id limit $1`,
)

/** In the order in which they came. */
export function waitingWords(db: Queryable, rows: number): Promise<WaitingWord[]> {
  return run(db, waitingStatement, [rows])
}

/** The one message that is handled, and the account of the number's last message. $4 message $5 the answer's text; null: none */
const looked = `${leaseFence}, one as materialized (
  select i.* from sms_inbox i, lease where i.id = $4 and i.action = 'waiting' for update of i
), receiver as materialized (
  select r.id, r.account_id, r.campaign_id, c.sender from one cross join lateral ${reachedBy('one.phone', 1)} r left join sms_campaign c on c.id = r.campaign_id order by r.id desc limit 1
)`

/**
 * The answer. It goes only to numbers that had a message from here, and once in 24 hours for the same word, so that two automatic answerers do
 * not go on for ever. It costs no account anything: an account cannot decide who writes, and STOP must not depend on a balance.
 */
const answered = (unless: string): string => `answer as (
  insert into sms_gateway_test (gateway_id, kind, phone, sender, text, inbox_id)
  select o.gateway_id, 'message', o.phone, f.sender, $5::text, o.id
  from one o cross join receiver r cross join lateral (select case when length(o.to_number) between 1 and 20 then o.to_number else r.sender end as sender) f
  where $5::text is not null and o.phone is not null and f.sender is not null and ${unless}
    and not exists (select from sms_gateway_test t join sms_inbox i on i.id = t.inbox_id where t.phone = o.phone and t.asked_at > now() - interval '24 hours' and i.word = o.word)
)`

const auditLine = (action: string, from: string): string => `audit as (
  insert into audit_log (owner_id, owner_path, action, target, ip, detail)
  select u.id, u.path, '${action}', right(l.phone::text, 10), '${origin}', jsonb_strip_nulls(jsonb_build_object('ownerId', u.id, 'campaignId', (select campaign_id from receiver)))
  from ${from} l left join users u on u.id = l.owner_id
)`

/** A word from a sender that is no mobile of Nepal asks for nothing. */
const settled = (action: string): string =>
  `update sms_inbox i set action = (case when one.phone is null then 'kept' else ${action} end)::sms_inbox_action, account_id = (select account_id from receiver), campaign_id = (select campaign_id from receiver) from one where i.id = one.id returning i.id`

const statements: Record<SmsWord, ReturnType<typeof statement<{ id: number }>>> = {
  /** Puts the number on the list of the account that reached it last, or on the platform's. The campaign counts it. */
  stop: statement(
    'sms_word_stop',
    `with ${looked}, entry as (
  insert into blacklist (phone, owner_id, opt_out)
  select one.phone, coalesce((select account_id from receiver), (select id from account where kind = 'mint')), true from one where one.phone is not null
  on conflict (phone, owner_id) do nothing returning phone, owner_id
), ${auditLine('blacklist.optOut', 'entry')}, progress as (
  update sms_campaign_progress p set opted_out = p.opted_out + 1, changed_at = clock_timestamp() from receiver r where p.campaign_id = r.campaign_id and exists (select from entry)
), ${answered('exists (select from entry)')}
${settled(`case when exists (select from entry) then 'optOut' else 'alreadyOut' end`)}`,
  ),
  /** Takes back what the number itself asked for, with the account that reached it last; if that is unknown, its last opt-out. */
  start: statement(
    'sms_word_start',
    `with ${looked}, removal as (
  delete from blacklist b using one where $5::text is null and b.phone = one.phone and b.opt_out and b.owner_id = coalesce((select account_id from receiver),
    (select l.owner_id from blacklist l where l.phone = one.phone and l.opt_out order by l.id desc limit 1)) returning b.phone, b.owner_id
), ${auditLine('blacklist.optIn', 'removal')}
${settled(`case when exists (select from removal) then 'optIn' else 'notOut' end`)}`,
  ),
  help: statement(
    'sms_word_help',
    `with ${looked}, ${answered(`not exists (select from blacklist b join account a on a.id = b.owner_id where b.phone = o.phone and a.kind = 'mint')`)}
${settled(`'help'`)}`,
  ),
}

/** Does what the word asks for, unless that was done. `answer`: the text to answer with; null: none. */
export async function handleWord(
  db: Queryable,
  lease: SmsLease,
  { id, word }: WaitingWord,
  answer: string | null,
): Promise<void> {
  await run(db, statements[word], [...fenced(lease), id, answer])
}
