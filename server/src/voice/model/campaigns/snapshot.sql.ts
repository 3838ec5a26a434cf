import type {
  CampaignStatus,
  CliFormat,
  CliHeader,
  Disposition,
  HoldCause,
  SipTransport,
  TrunkSign,
} from '../../../db/tables.ts'
import { run, statement, type Queryable } from '../../../dispatch/statement.ts'
import { isUnfinished, yieldedBy, otherDialers, sharedWithDialer, spansDialers, stepsOfRoute } from './shared.sql.ts'
import type { OtherDialer } from './sharing.ts'
import type { RouteStep } from '../../../dispatch/turns/route-step.ts'
import type { ShownCli } from './route.ts'
import { accountState, stoppers, type AccountState } from '../../../dispatch/stopped-account.ts'
import { withAllStreams, type Stream } from './streams.ts'

/** A campaign that is not over, as a tick finds it. The database compares the times. */
export type CampaignRow = AccountState & {
  id: number
  /** The dialer whose tick this is. */
  dialer_id: number
  /** It is the dialer whose engine decides what becomes of the campaign. */
  leads: boolean
  /** Other dialers of its route may claim rows of it, too. */
  is_shared: boolean
  /** Other dialers make calls that may show what its calls show. */
  spans: boolean
  /** Null: its route has trunks of this dialer alone. */
  others: OtherDialer[] | null
  /** What this dialer's engine last said of itself in a shared campaign. Null: nothing. */
  said: ({ epoch: number; reason: string | null } & Pick<OtherDialer, 'streams' | 'yielded'>) | null
  account_id: number
  trunk_id: number
  /** Trunks of its dialer. Null: `trunk_id` alone. */
  route: RouteStep[] | null
  cli_id: number
  cli: string
  cli_channels: number
  /** Caller IDs that are active, of the group whose name `cli` is. Null: `cli` is a caller ID itself. */
  members: ShownCli[] | null
  status: CampaignStatus
  hold_cause: HoldCause | null
  reason: string | null
  /** Its start time has come. */
  due: boolean
  /** Its rows are stored. */
  prepared: boolean
  /** Its last day is over, or the time after which its owner wants no call. */
  over: boolean
  not_after: boolean
  channels: number
  reserve_paisa: number
  retries: number
  retry_ms: number
  is_retry: boolean
  retry_requested: boolean
  end_now: boolean
  is_test: boolean
  /** A campaign of one call, like a test: Call Now. */
  is_call_now: boolean
  /** Rows that were never tried and have no earlier row of their number. */
  fresh_left: number
  fresh: number
  in_call: number
  waiting: number
  attempts: number
  next_due_at: Date | null
  /** The first row of the queue: when it is due, in µs since 1970, and its number. */
  next_due_us: number | null
  next_due_no: number | null
  /** Some row is due now. */
  retry_due: boolean
  /**
   * Why the first row of the queue waits because of its number. 0: the number is in another call; n: it had n calls today. Null: not because
   * of its number.
   */
  next_put_off: number | null
  /** After a crash of the database it is not known yet who is being called, and how often. */
  counting: boolean
  free_paisa: number
  sweepable_paisa: number
  unsettled: number
  /** How many calls the dialer was granted and has not begun, of the account in the chain of which it may begin the fewest. */
  free_channels: number
  /** Its calls in progress end, because an account of the path is frozen. */
  ends_calls: boolean
  payer_ids: number[]
  /** By operator, in the order of their codes. Null: its rows have one cursor and one queue. */
  streams: Stream[] | null
}

/** `from`: campaigns c and the dialer of each. `said`: what its engine said of the campaign. */
const campaignsText = ({
  from,
  dialer,
  leads,
  said,
}: {
  from: string
  dialer: string
  leads: boolean
  said: string
}): string =>
  `select c.id, ${dialer} as dialer_id, ${leads} as leads, c.is_shared, ${said} as said, ${leads ? spansDialers : 'true'} as spans, case when i.route_id is not null then ${otherDialers(dialer)} end as others, c.account_id, c.trunk_id,
  case when i.route_id is not null then (select json_agg(json_build_object('trunkId', s.trunk_id, 'priority', s.priority, 'weight', s.weight, 'costPaisa', s.cost_paisa, 'operators', s.operators)) from call_route_step s join trunk t on t.id = s.trunk_id
    where s.route_id = i.route_id and t.dialer_id = ${dialer} and t.deleted_at is null) end as route,
  c.cli_id, i.number as cli, i.channels as cli_channels,
  case when i.is_group then (select coalesce(json_agg(json_build_object('id', n.id, 'number', n.number, 'channels', n.channels, 'weight', m.weight) order by n.id), '[]') from cli_member m join cli n on n.id = m.cli_id join trunk t on t.id = n.trunk_id
    where m.group_id = i.id and n.deleted_at is null and t.deleted_at is null) end as members,
  c.status, c.hold_cause, c.reason,
  c.start_at <= now() as due, d.rows_in_file is not null as prepared, c.dial_until <= now() as over, c.not_after, c.channels, c.reserve_paisa + c.message_paisa as reserve_paisa, c.retries, c.retry_ms, c.is_retry, c.retry_requested, c.end_now, c.is_test, c.is_call_now,
  c.fresh_end - c.fresh_next as fresh_left, k.fresh, k.in_call, k.waiting, k.attempts, q.next_due_at, (extract(epoch from q.next_due_at) * 1000000)::bigint as next_due_us, q.next_due_no, coalesce(q.next_due_at <= now(), false) as retry_due, q.next_put_off,
  not exists (select from number_use where phone = 0) as counting,
  a.balance_paisa - a.reserved_paisa as free_paisa,
  case when a.balance_paisa - a.reserved_paisa < c.reserve_paisa + c.message_paisa then (select coalesce(sum(paisa), 0)::bigint from account_income e where e.account_id = a.id) else 0 end as sweepable_paisa,
  case when a.balance_paisa - a.reserved_paisa < c.reserve_paisa + c.message_paisa then calls_in_progress(c.account_id) else 0 end as unsettled,
  (select greatest(0, min(coalesce(g.granted - g.in_call, 0))) from campaign_level l left join account_grant g on g.account_id = l.payer_id and g.dialer_id = ${dialer} where l.campaign_id = c.id) as free_channels,
  ${accountState},
  a.frozen and freeze_ends_calls(u.path) as ends_calls,
  (select array_agg(l.payer_id order by l.level) from campaign_level l where l.campaign_id = c.id) as payer_ids,
  case when c.by_operator then (
    select json_agg(json_build_object('stream', s.stream, 'fresh_left', s.fresh_end - s.fresh_next, 'next_due_us', (extract(epoch from q.due_at) * 1000000)::bigint, 'next_due_no', q.no,
        'retry_due', coalesce(q.due_at <= now(), false), 'next_put_off', q.put_off, 'reason', s.reason) order by s.stream)
    from campaign_stream s left join lateral (select due_at, no, put_off from contact_retry r where r.campaign_id = c.id and r.stream = s.stream order by due_at, no limit 1) q on true
    where s.campaign_id = c.id) end as streams
from ${from} join campaign_detail d on d.campaign_id = c.id join account a on a.id = c.account_id join users u on u.id = c.account_id join cli i on i.id = c.cli_id
  ${stoppers}
  cross join lateral (select coalesce(sum(fresh), 0)::int fresh, coalesce(sum(in_call), 0)::int in_call, coalesce(sum(waiting), 0)::int waiting, coalesce(sum(attempts), 0)::int attempts from campaign_count k where k.campaign_id = c.id) k
  left join lateral (select due_at as next_due_at, no as next_due_no, put_off as next_put_off from contact_retry r where r.campaign_id = c.id and r.stream = 0 order by due_at, no limit 1) q on true
where ${dialer} = any ($1::int[]) and c.status not in ('complete', 'cancelled', 'refused', 'failed')
  and (c.status in ('running', 'cancelling', 'pausing', 'resuming', 'processing') or c.status = 'ready' and c.start_at <= now()
    or ${dialer} = any ($2::int[]) and (c.status in ('lowBalance', 'onHold', 'paused') or c.status = 'ready' and exists (select from account_stopped_by(u.path))))
order by c.id`

const saidBy = (dialer: string): string =>
  `(select json_build_object('epoch', m.epoch, 'reason', m.reason, 'streams', m.streams, 'yielded', ${yieldedBy('m.epoch')}) from campaign_dialer m where m.campaign_id = c.id and m.dialer_id = ${dialer})`

/**
 * $1 dialers $2 those of them for which campaigns are loaded too that only wait for something outside, and scheduled ones whose account is not
 * live. Loading these once a second is enough.
 */
const campaignsStatement = statement<CampaignRow>(
  'load_campaigns',
  campaignsText({
    from: 'campaign c',
    dialer: 'c.dialer_id',
    leads: true,
    said: `case when c.is_shared then ${saidBy('c.dialer_id')} end`,
  }),
)

/** The same of campaigns that other dialers lead. */
const sharedStatement = statement<CampaignRow>(
  'load_shared_campaigns',
  campaignsText({ from: sharedWithDialer, dialer: 'v.dialer_id', leads: false, said: saidBy('v.dialer_id') }),
)

/** Dialers with campaigns that are not over. `is_active`: not all of these only wait for something outside. */
export const dialersWithCampaigns = `select dialer_id, bool_or(is_active) as is_active from (
  select dialer_id, status in ('running', 'cancelling', 'pausing', 'resuming', 'processing') or status = 'ready' and start_at <= now() as is_active
  from campaign where status not in ('complete', 'cancelled', 'refused', 'failed')
  union all select t.dialer_id, true from campaign c join ${stepsOfRoute} on i.id = c.cli_id where ${isUnfinished('c')}
) of_dialer group by dialer_id`

export async function loadCampaigns(
  db: Queryable,
  dialerIds: readonly number[],
  waitingToo: readonly number[],
): Promise<CampaignRow[]> {
  const values = [dialerIds, waitingToo]
  const [own, shared] = await Promise.all([run(db, campaignsStatement, values), run(db, sharedStatement, values)])
  return [...own, ...shared].map(withAllStreams)
}

export type DialerRow = {
  id: number
  name: string
  driver: string
  host: string
  port: number
  cps: number
  channels: number
  ari_user: string | null
  ari_secret_sealed: string | null
  tls_fingerprint: string | null
  media_folder: string | null
  media_url: string | null
  removed: boolean
  /** A person gave the dialer up: its calls end at once, and none begins until it answers again. */
  given_up: boolean
}

const dialersStatement = statement<DialerRow>(
  'load_dialers',
  `select id, name, driver, host, port, coalesce(cps_reduction, cps) as cps, coalesce(channel_reduction, channels) as channels, ari_user, ari_secret_sealed, tls_fingerprint, media_folder, media_url, deleted_at is not null as removed, given_up_at is not null as given_up
from dialer where id = any ($1::int[]) order by id`,
)

export function loadDialersOf(db: Queryable, dialerIds: readonly number[]): Promise<DialerRow[]> {
  return run(db, dialersStatement, [dialerIds])
}

/** How much an operator sold for some trunks together (docs/adr/59). */
export type ContractRow = { id: number; name: string; channels: number; cps: number }

export type TrunkRow = {
  id: number
  dialer_id: number
  name: string
  channels: number
  cps: number
  held_since: Date | null
  hold_reason: string | null
  held_for_refusals: boolean | null
  probes: number | null
  next_probe_at: Date | null
  /** Settings of trunk and dialer when its breaker opened (settingsMark). Null: not known. */
  held_settings: string | null
  /** The trunk's last calls, the newest last: '1' answered, '0' not. */
  recent: string
  /** How many calls a second the operator took a short while ago, where that was less than the contract's. */
  takes_cps: number | null
  sip_host: string | null
  sip_port: number | null
  sip_transport: SipTransport
  sip_user: string | null
  sip_secret_sealed: string | null
  codecs: string[]
  cli_format: CliFormat
  cli_header: CliHeader
  number_strip: string
  number_prefix: string
  registers: boolean
  /** As contract/src/sip-options.ts reads it. */
  sip_options: unknown
  ring_seconds: number
  /** E.164 without the plus. */
  test_number: number | null
  /** What it shares with other trunks, on any dialers. Null: nothing. */
  contract: ContractRow | null
  rules: { sip_status: number | null; q850_cause: number | null; disposition: Disposition; sign: TrunkSign }[]
}

const trunksStatement = statement<TrunkRow>(
  'load_trunks',
  `select t.id, t.dialer_id, t.name, t.channels, t.cps, h.held_since, h.hold_reason, h.held_for_refusals, h.probes, h.next_probe_at, h.settings as held_settings, coalesce(s.recent, '') as recent,
  case when s.seen_at > now() - interval '10 minutes' then s.takes_cps end as takes_cps,
  t.sip_host, t.sip_port, t.sip_transport, t.sip_user, t.sip_secret_sealed, t.codecs, t.cli_format, t.cli_header, t.number_strip, t.number_prefix, t.registers, t.sip_options, t.ring_seconds, t.test_number,
  (select json_build_object('id', o.id, 'name', o.name, 'channels', o.channels, 'cps', o.cps) from operator_contract o where o.id = t.contract_id) as contract,
  coalesce((select json_agg(r order by r.id) from trunk_disposition r where r.trunk_id = t.id), '[]') as rules
from trunk t left join trunk_health h on h.trunk_id = t.id left join trunk_state s on s.trunk_id = t.id where t.dialer_id = any ($1::int[]) and t.deleted_at is null order by t.id`,
)

export function loadTrunks(db: Queryable, dialerIds: readonly number[]): Promise<TrunkRow[]> {
  return run(db, trunksStatement, [dialerIds])
}

export type BlockRow = { kind: string; target_id: number | null; reason: string }

const blocksStatement = statement<BlockRow>(
  'load_blocks',
  `select kind, target_id, reason from dial_block where lifted_at is null and what <> 'messages' order by id`,
)

/** The rows of 'Stop all dialling'. */
export function loadBlocks(db: Queryable): Promise<BlockRow[]> {
  return run(db, blocksStatement, [])
}

export type SettingRow = { key: string; account_id: number | null; value: unknown }

const settingsStatement = statement<SettingRow>(
  'load_settings',
  `select key, null::int as account_id, value from platform_setting where key = any ($1::text[])
union all select $2::text, account_id, hours from account_calling_hours`,
)

/** The platform's settings with these names, and accounts' own calling hours under the key $2. */
export function loadSettings(db: Queryable, keys: readonly string[], hoursKey: string): Promise<SettingRow[]> {
  return run(db, settingsStatement, [keys, hoursKey])
}

const settingStatement = statement<{ value: unknown }>(
  'load_setting',
  'select value from platform_setting where key = $1',
)

/** One of the platform's settings. Undefined: nobody has set it. */
export async function loadSetting(db: Queryable, key: string): Promise<unknown> {
  return (await run(db, settingStatement, [key]))[0]?.value
}
