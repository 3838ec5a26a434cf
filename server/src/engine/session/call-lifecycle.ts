import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { DialerConnection } from '../../drivers/telephony/driver.ts'
import { attemptOf, type CallEnd, type CallPorts } from '../call/call-ports.ts'
import { Call } from '../call/call.ts'
import type { Claimed } from '../schedule/claim/claim.sql.ts'
import type { ClaimOf } from '../schedule/claim/claims.ts'
import { extend } from '../settle/reservation.sql.ts'
import type { TrunkHealthTracker } from '../trunks/health/trunk-health.ts'
import type { DialerTrunks } from '../trunks/state/trunks.ts'
import { callNowOutcome } from '../call/call-now.ts'
import { outcomeOf, classifyCall } from '../settle/outcome.ts'
import { releaseAgent, takeAgent, takeCustomer } from '../schedule/numbers/numbers.sql.ts'
import type { Recordings } from '../audio/recordings.ts'
import type { Lease } from '../statement.ts'
import { cliOfTrunk, type Plan } from '../call/plan.ts'
import type { Plans } from '../call/plans.ts'
import { spokenOf, type SpokenSource } from '../audio/speech.sql.ts'
import type { SpeechCache } from '../audio/speech-cache.ts'
import { recordTestCall } from '../call/transcript.sql.ts'
import type { Detours } from '../dial/detours.ts'
import type { Switchboard } from '../dial/switchboard.ts'
import type { InvariantMonitor } from '../invariants/monitor.ts'
import type { Writer } from '../settle/writer.ts'
import type { SoundCache } from '../audio/sound-cache.ts'
import { raiseAlert } from '../alerts.sql.ts'

export type CallPortsOptions = Pick<CallPorts, 'carried' | 'ended' | 'unresolved'> & {
  pool: Pool
  log: Logger
  lease: Lease
  trunks: DialerTrunks
  switchboard: Switchboard
  monitor: InvariantMonitor
  recordings: Recordings
  soundCache: SoundCache
  speech: SpeechCache
  writer: Writer
  /** The newest connection, even when it is gone. Null: the dialer was never connected. */
  connection(): DialerConnection | null
}

/** What the calls of a dialer ask of their session and report to it; the same for all of them. */
export function callPortsOf(of: CallPortsOptions): CallPorts {
  const { pool, log, lease, trunks, switchboard, monitor, recordings, carried, ended, unresolved } = of
  let lines = 0
  return {
    get connection() {
      const connection = of.connection()
      if (!connection) throw new Error('the dialer was never connected')
      return connection
    },
    epoch: lease.epoch,
    ringMs: ({ attempt, plan }) => trunks.ringMs(attempt.cli.trunkId, plan),
    save: (step) => of.writer.save(step),
    carried,
    ended,
    unresolved,
    failed: (call, what, error) => log.error({ error, attemptId: call.attempt.id }, what),
    mayBeginLeg: ({ attempt }) => trunks.contracts.mayBeginLeg(attempt.cli.trunkId, performance.now()),
    takeLeg: (call, channelId) => {
      if (!trunks.legFree(call.attempt.cli.trunkId)) return false
      switchboard.addLeg(call, channelId)
      trunks.legBegins(call.attempt.cli.trunkId)
      monitor.leg('legBegan', call)
      return true
    },
    freeLeg: (call, channelId) => {
      switchboard.removeLeg(call, channelId)
      monitor.leg('legEnded', call)
    },
    takeAgent: (call, number) => takeAgent(pool, lease, Number(number.slice(1)), call.attempt.id),
    freeAgent: (call, number) =>
      releaseAgent(pool, lease, Number(number.slice(1)), call.attempt.id).catch((error: unknown) =>
        log.error({ error }, 'an agent stays busy until the call is settled'),
      ),
    takeCustomer: (call) => takeCustomer(pool, lease, call.attempt.id),
    extend: (call, paisa) => extend(pool, lease, call.attempt.id, paisa),
    transcribe: ({ attempt, plan }, line) => {
      recordTestCall(pool, { campaignId: plan.campaignId, rowNo: attempt.rowNo }, new Date(), ++lines, line).catch(
        (error: unknown) => log.error({ error }, 'what happened in a test call could not be written'),
      )
    },
    unheard: (call, reason) => unheard(of, call, reason),
    recording: ({ attempt, plan }, recordingId) =>
      recordings.begun(recordingId, { attemptId: attempt.id, campaignId: plan.campaignId }),
    notRecorded: (recordingId) => recordings.never(recordingId),
    hasRoom: ({ plan }) => recordings.hasRoom(ownerOf(plan)),
    notice: ({ plan }) => recordings.notice.of(plan.language),
    withheld: ({ attempt, plan }, why) => recordings.withheld({ attemptId: attempt.id, accountId: ownerOf(plan), why }),
  }
}

function ownerOf({ campaignId, payerIds: [owner] }: Plan): number {
  if (owner === undefined) throw new Error(`campaign ${campaignId} has no payer`)
  return owner
}

type CallEndedParts = {
  switchboard: Switchboard
  trunks: DialerTrunks
  writer: Writer
  monitor: InvariantMonitor
  health: TrunkHealthTracker
  detours: Detours
  timeScale: number
}

/** Both legs are over: the call goes on over the next host of its trunk or the next trunk of its route, or this decides the disposition, when the row may be dialled again, and what the call says about the trunk. */
export function callEnded(of: CallEndedParts, call: Call, end: CallEnd): void {
  const { switchboard, trunks, writer, monitor, health, detours, timeScale } = of
  switchboard.remove(call)
  const rules = trunks.rulesOf(call.attempt.cli.trunkId)
  const classified = classifyCall(end, rules)
  const settle = (isFault: boolean): void => {
    const settleNow = (): void => {
      const outcome = call.plan.flow.connect
        ? callNowOutcome(call, end, { classified, isFault, rules })
        : outcomeOf(call, end, classified, isFault, timeScale)
      const mayGoOn = outcome.retryInMs !== null || call.plan.isTest
      if (mayGoOn && detours.leavesToOthers(call, end, classified)) outcome.retryInMs = 0
      writer.settle(outcome)
      monitor.ended(call, outcome, end.reservedPaisa)
    }
    if (!detours.take(call, end, classified, settleNow)) settleNow()
  }
  const classify = (): void => {
    if (classified) health.ended(call, end, classified, settle)
    else settle(false)
  }
  monitor.hungUp(call)
  if (!detours.takeHost(call, end, classified, classify)) classify()
}

function unheard({ pool, log, soundCache, speech }: CallPortsOptions, { attempt, plan }: Call, reason: string): void {
  log.error({ attemptId: attempt.id, campaignId: plan.campaignId, reason }, 'a prompt was not heard')
  soundCache.recheck([...plan.sounds.values(), ...attempt.spoken])
  speech.forget(plan)
  const detail = `a prompt was not heard after the answer: ${reason}; such calls are ended and not charged`
  raiseAlert(pool, 'prompt', `campaign ${plan.campaignId}`, detail).catch((error: unknown) =>
    log.error({ error }, 'an alert could not be written'),
  )
}

/** The calls of claimed rows. `claimSentMono`: when the claim was sent. `silent`: why a row's values cannot be spoken; null: they can. */
export async function newCalls(
  { deps, plans, speech }: { deps: SpokenSource; plans: Plans; speech: SpeechCache },
  rows: readonly Claimed[],
  plan: Plan,
  ports: CallPorts,
  of: ClaimOf & { claimSentMono: number },
): Promise<{ call: Call; silent: string | null }[]> {
  const claimedAt = Date.now()
  const spoken = await spokenOf(deps, plan, rows)
  // A second reading of the rows shows whether their missing sounds are gone for good.
  if (rows.some(({ no }) => spoken(no) === undefined)) plans.forget(plan.campaignId)
  const clis = new Map(of.clis.map(({ id, number }) => [id, cliOfTrunk(id, number, of.trunkId)]))
  return rows.map((row) => {
    const cli = clis.get(row.cli_id)
    if (!cli) throw new Error(`attempt ${row.id} shows caller ID ${row.cli_id}, which was not claimed`)
    const said = spoken(row.no)
    const call = new Call(attemptOf(row, { claimedAt, cli, stream: of.stream, spoken: said ?? [] }), plan, ports, of)
    if (!said) return { call, silent: 'what it says could not be read' }
    return { call, silent: speech.canPlay(said) ? null : 'what it says is not on the dialer' }
  })
}
