import type { Logger } from 'pino'
import type { ChannelRecord, DialerConnection } from '../../drivers/telephony/driver.ts'
import { legOf } from '../../dispatch/channel-names.ts'
import { settledAttempts, type Settled } from './record-check.sql.ts'
import { noteProven } from '../settle/given-up.sql.ts'
import { recordedTalkMs } from '../model/calls/talk.ts'
import type { Lease, Queryable } from '../../dispatch/statement.ts'
import { raiseAlert } from '../../dispatch/alerts.sql.ts'

const toleranceMs = 1000
/** How many are listed at once; more of them have one common cause. */
const listedMax = 50

export type Difference = { attemptId: number; detail: string }

/** Checks, before the dialer forgets calls, that what it measured was charged. */
export class RecordCheck {
  readonly #db: Queryable
  readonly #log: Logger
  readonly #prefix: string
  readonly #lease: Lease
  #checkedUntil = 0

  constructor(db: Queryable, log: Logger, channelPrefix: string, lease: Lease) {
    this.#db = db
    this.#lease = lease
    this.#log = log
    this.#prefix = channelPrefix
  }

  /** All calls that began before `before` are settled: the dialer may forget them. */
  async trim(connection: DialerConnection, before: number): Promise<void> {
    const differences = await this.check(connection, before)
    if (differences.length > 0) this.#log.error({ differences }, 'history and the dialer’s record differ')
    await connection.trimRecord(before)
  }

  /** Compares all calls that began before `before`, which are settled. */
  async check(connection: Pick<DialerConnection, 'readRecord'>, before: number): Promise<Difference[]> {
    const { measured, settled } = await this.#prove(connection, before)
    const differences = differencesOf(measured, settled)
    for (const { attemptId, detail } of differences.slice(0, listedMax))
      await raiseAlert(this.#db, 'record', `attempt ${attemptId}`, detail)
    this.#checkedUntil = Math.max(this.#checkedUntil, before)
    return differences
  }

  /** The dialer is back: its record may know more of calls that were settled as LOST. */
  async prove(connection: Pick<DialerConnection, 'readRecord'>): Promise<void> {
    await this.#prove(connection, Infinity).catch((error: unknown) => {
      this.#log.error({ error }, 'the ends of lost calls could not be read: the next trim of the record finds them')
    })
  }

  async #prove(connection: Pick<DialerConnection, 'readRecord'>, before: number) {
    const { channels } = await connection.readRecord(this.#checkedUntil)
    const measured = measuredOf(channels.values(), this.#prefix, before)
    const settled = new Map((await settledAttempts(this.#db, [...measured.keys()])).map((one) => [one.id, one]))
    const lost = [...measured].filter(([id]) => settled.get(id)?.is_lost && !settled.get(id)?.is_call_now)
    const noted = await noteProven(
      this.#db,
      this.#lease,
      lost.map(([attemptId, { billMs }]) => ({ attemptId, talkMs: billMs && Math.max(0, billMs) })),
    )
    if (noted > 0) this.#log.warn({ calls: noted }, 'a dialer that came back knows how lost calls ended')
    return { measured, settled }
  }
}

/** How long the legs of an attempt talked. Null: not answered. */
type Measured = { billMs: number | null; patchBillMs: number | null }

/** By attempt: calls whose customer's leg began before `before` and whose legs have all ended. */
export function measuredOf(
  channels: Iterable<ChannelRecord>,
  channelPrefix: string,
  before: number,
): Map<number, Measured> {
  const legs = new Map<number, { customer: ChannelRecord | null; tried: number; agents: ChannelRecord[] }>()
  for (const channel of channels) {
    const leg = legOf(channelPrefix, channel.channelId)
    if (!leg) continue
    const known = legs.get(leg.attemptId) ?? { customer: null, tried: -1, agents: [] }
    if (leg.isAgent) known.agents.push(channel)
    else if (leg.tried > known.tried) Object.assign(known, { customer: channel, tried: leg.tried }) // nobody answered over the trunks before
    legs.set(leg.attemptId, known)
  }
  const measured = new Map<number, Measured>()
  for (const [id, { customer, agents }] of legs) {
    if (!customer || customer.startedAt >= before) continue
    if ([customer, ...agents].some(({ endedAt }) => endedAt === null)) continue
    const talks = agents.map(recordedTalkMs).filter((ms) => ms !== null)
    const patchBillMs = talks.length === 0 ? null : talks.reduce((sum, ms) => sum + ms, 0)
    measured.set(id, { billMs: recordedTalkMs(customer), patchBillMs })
  }
  return measured
}

export function differencesOf(
  measured: ReadonlyMap<number, Measured>,
  settled: ReadonlyMap<number, Settled>,
): Difference[] {
  return [...measured].flatMap(([attemptId, { billMs, patchBillMs }]) => {
    const attempt = settled.get(attemptId)
    if (attempt?.is_open || attempt?.is_lost) return [] // a lost call has a note instead
    // an attempt that was given back left no row, and nobody answered it
    if (!attempt && billMs === null) return []
    const parts = [
      differenceOf(attempt?.is_call_now ? 'the agent' : 'the customer', billMs, attempt?.bill_ms ?? null),
      differenceOf(attempt?.is_call_now ? 'the customer' : 'the agents', patchBillMs, attempt?.patch_bill_ms ?? null),
    ].filter((part) => part !== null)
    return parts.length === 0 ? [] : [{ attemptId, detail: parts.join('; ') }]
  })
}

function differenceOf(whose: string, measuredMs: number | null, settledMs: number | null): string | null {
  const isSame = (measuredMs === null) === (settledMs === null)
  if (isSame && Math.abs((measuredMs ?? 0) - (settledMs ?? 0)) <= toleranceMs) return null
  const words = (ms: number | null): string => (ms === null ? 'no answer' : `${ms} ms`)
  return `${whose}: ${words(measuredMs)} by the dialer’s record, ${words(settledMs)} in history`
}
