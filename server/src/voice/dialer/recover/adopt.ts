import { setTimeout as sleep } from 'node:timers/promises'
import type {
  ChannelRecord,
  DialerConnection,
  DialerRecord,
  HungUp,
  LiveChannel,
} from '../../../drivers/telephony/driver.ts'
import type { AgentSeen, CallPorts } from '../call/call-ports.ts'
import { Call } from '../call/call.ts'
import { customerOf } from '../../../dispatch/channel-names.ts'
import type { OpenAttempt } from '../../../dispatch/lease/lease.sql.ts'
import { cliOfTrunk, type Plan } from '../../model/calls/plan.ts'
import { spokenOf, type SpokenSource } from '../audio/speech.sql.ts'
import { SavedCall } from '../../model/calls/saved-call.ts'
import { recordedEndOf, type RecordedEnd } from './recorded-end.ts'

/** The record is read from this long before the first call, because clocks differ. */
const skewMs = 60_000
/** A request that was sent shows in the record after this long. */
const settledAfterMs = 2000
const unknownAfterMs = 30_000
const unknownAfterMsMin = 2000

/** How many calls go on, ended by the record, or were never sent; and, by campaign, those whose fate nobody knows. */
export type Reconciled = {
  adopted: number
  ended: number
  neverSent: number
  orphans: number
  lost: Map<number, number>
  /** Since when the dialer has been running. Null: its record was not needed. */
  upSince: number | null
}

/**
 * After a crash, a takeover or a gap in the events: living calls go on where they stood, and the dialer's own record closes the others.
 * Resolves when no call is in doubt. `quietSince`: others sent their claimed calls before this time, or never. `orphans`: channels of ours
 * that belong to none of the calls and are hung up; null: not looked for.
 */
export async function reconcile(
  calls: readonly Call[],
  connection: DialerConnection,
  isOrphan: ((channelId: string) => boolean) | null,
  quietSince = Infinity,
): Promise<Reconciled> {
  const channels = await connection.live()
  const live = new Map(channels.map((channel) => [channel.channelId, channel.state]))
  const done: Reconciled = {
    adopted: 0,
    ended: 0,
    neverSent: 0,
    orphans: isOrphan ? await hangUpOrphans(channels, connection, isOrphan) : 0,
    lost: new Map(),
    upSince: null,
  }
  const begun = calls.filter((call) => call.dialled) // a call that waits for its moment is in no record
  if (begun.length === 0) return done
  const since = Math.min(...begun.map((call) => call.attempt.claimedAt)) - skewMs
  let unresolved: Call[] = []
  const settleRecorded = async (left: readonly Call[], last: boolean): Promise<void> => {
    const record = await connection.readRecord(since)
    done.upSince = record.upSince
    const legs = agentLegsIn(record)
    const rung = agentChannelsIn(live)
    const quietMs = performance.now() - quietSince
    for (const call of left) {
      call.recorded(legs.get(call.attempt.channelId) ?? [])
      const agent = agentOf(call, live, record)
      const others = (rung.get(call.attempt.channelId) ?? []).filter((id) => id !== call.agentChannelId)
      const state = live.get(call.attempt.channelId)
      for (const channelId of others) await connection.hangUp(channelId) // nobody would hear when they answer
      const isOpen = agent.state === 'gone' && agent.leg === null && call.agentChannelId !== null
      if (!last && (isOpen || (!state && others.length > 0))) {
        unresolved.push(call) // a moment later the record has the end of the agent's leg
        continue
      }
      if (state) {
        done.adopted += 1
        await call.goOn(state, record.channels.get(call.attempt.channelId)?.answeredAt ?? null, agent)
        continue
      }
      const how = close(call, record, agent, { last, sent: last || (call.isAdopted && quietMs >= settledAfterMs) })
      const { campaignId } = call.plan
      if (how === 'unclear') unresolved.push(call)
      else if (how === 'lost') done.lost.set(campaignId, (done.lost.get(campaignId) ?? 0) + 1)
      else done[how] += 1
    }
  }
  await settleRecorded(begun, false)
  if (unresolved.length === 0) return done
  const again = unresolved
  unresolved = []
  await sleep(settledAfterMs)
  for (const channel of await connection.live()) live.set(channel.channelId, channel.state)
  await settleRecorded(again, true)
  return done
}

/** How old a claim must be: by then its claimer knows of it, or the claim's answer was lost. */
export function isUnknown({ started_at }: OpenAttempt, now: number, timeScale: number): boolean {
  return started_at.getTime() < now - Math.max(unknownAfterMsMin, unknownAfterMs * timeScale)
}

export async function hangUpOrphans(
  live: readonly LiveChannel[],
  connection: DialerConnection,
  isOrphan: (channelId: string) => boolean,
): Promise<number> {
  const orphans = live.filter(({ channelId }) => isOrphan(channelId))
  for (const { channelId } of orphans) await connection.hangUp(channelId)
  return orphans.length
}

type Live = ReadonlyMap<string, 'dialling' | 'ringing' | 'up'>

/** Agents' channels that live, by their customer's. */
function agentChannelsIn(live: Live): Map<string, string[]> {
  const channels = new Map<string, string[]>()
  for (const channelId of live.keys()) {
    const customers = customerOf(channelId)
    if (customers) channels.set(customers, [...(channels.get(customers) ?? []), channelId])
  }
  return channels
}

function agentLegsIn(record: DialerRecord): Map<string, HungUp[]> {
  const legs = new Map<string, HungUp[]>()
  for (const [channelId, entry] of record.channels) {
    const customers = customerOf(channelId)
    const leg = endOf(entry)
    if (customers && leg) legs.set(customers, [...(legs.get(customers) ?? []), leg])
  }
  return legs
}

function agentOf(call: Call, live: Live, record: DialerRecord): AgentSeen {
  const channelId = call.agentChannelId
  if (!channelId) return { state: 'gone', leg: null }
  const state = live.get(channelId)
  return state ? { state, leg: null } : { state: 'gone', leg: endOf(record.channels.get(channelId)) }
}

function close(
  call: Call,
  record: DialerRecord,
  agent: AgentSeen,
  asked: { last: boolean; sent: boolean },
): RecordedEnd['is'] {
  const { channelId, claimedAt } = call.attempt
  const { answeredAt, cancelled } = call
  if (call.hungUp) {
    call.close(null, agent)
    return 'ended'
  }
  const recorded = recordedEndOf(
    record,
    { channelId, claimedAt, answeredAt, cancelled, alerted: call.alertedAt !== null },
    asked,
  )
  if (recorded.is === 'unclear') return recorded.is
  if (recorded.is === 'neverSent') call.giveBack('it was never sent')
  else call.close(recorded.is === 'ended' ? recorded.leg : null, agent)
  return recorded.is
}

function endOf(entry: ChannelRecord | undefined): HungUp | null {
  if (!entry || entry.endedAt === null) return null
  const { channelId, startedAt, answeredAt, cause, silentMs } = entry
  const endedBy = entry.endedByFarEnd ? 'callee' : 'hangUp'
  return {
    type: 'hungUp',
    channelId,
    at: entry.endedAt,
    startedAt,
    answeredAt,
    endedBy,
    sipStatus: null,
    cause,
    alerted: true,
    silentMs,
  }
}

/** A call that another engine dialled, as far as it was saved. */
export async function adoptedCall(open: OpenAttempt, deps: SpokenSource, plan: Plan, ports: CallPorts): Promise<Call> {
  const spoken = await spokenOf(deps, plan, [open])
  const attempt = {
    id: open.id,
    channelId: open.channel_id,
    rowNo: open.no,
    number: `+${open.phone}`,
    attemptNo: open.attempt_no,
    congestions: open.congestions,
    failures: open.failures,
    reservedPaisa: open.reserved_paisa,
    claimedAt: open.started_at.getTime(),
    cli: cliOfTrunk(open.cli_id, open.cli, open.trunk_id),
    tried: open.tried,
    notHosts: [],
    stream: open.stream,
    spoken: spoken(open.no) ?? [],
    customerCalled: open.customer_called,
  }
  const call = new Call(attempt, plan, ports)
  call.adopted()
  if (open.answered_at) call.restore(open.answered_at.getTime(), open.keys ?? '', SavedCall.parse(open.state))
  return call
}
