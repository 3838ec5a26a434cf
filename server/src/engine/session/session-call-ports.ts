import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { DialerConnection } from '../../drivers/telephony/driver.ts'
import type { CallPorts } from '../call/call-ports.ts'
import type { Call } from '../call/call.ts'
import { failedHost } from '../settle/disposition.ts'
import { extend } from '../settle/reservation.sql.ts'
import type { DialerTrunks } from '../trunks/state/trunks.ts'
import { agentLegCounts, classify } from '../settle/disposition.ts'
import { releaseAgent, takeAgent, takeCustomer } from '../schedule/numbers/numbers.sql.ts'
import type { Recordings } from '../audio/recordings.ts'
import type { LeaseHolder } from '../lease/lease-holder.ts'
import type { Lease } from '../statement.ts'
import type { Plan } from '../call/plan.ts'
import type { SpeechCache } from '../audio/speech-cache.ts'
import { recordTestCall } from '../call/transcript.sql.ts'
import type { Switchboard } from '../dial/switchboard.ts'
import type { InvariantMonitor } from '../invariants/monitor.ts'
import type { Writer } from '../settle/writer.ts'
import type { SoundCache } from '../audio/sound-cache.ts'
import { raiseAlert } from '../alerts.sql.ts'

export type CallPortsOptions = Pick<CallPorts, 'carried' | 'ended' | 'unresolved'> & {
  pool: Pool
  log: Logger
  lease: Lease
  holder: Pick<LeaseHolder<Lease>, 'safe' | 'isValid'>
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
  const { pool, log, lease, holder, trunks, switchboard, monitor, recordings, carried, ended, unresolved } = of
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
    mayRing: () => holder.safe,
    mayBeginLeg: ({ attempt }) => holder.safe && trunks.contracts.mayBeginLeg(attempt.cli.trunkId, performance.now()),
    takeLeg: (call, channelId) => {
      if (!trunks.legFree(call.attempt.cli.trunkId)) return false
      switchboard.addLeg(call, channelId)
      trunks.legBegins(call.attempt.cli.trunkId)
      monitor.leg('legBegan', call)
      return true
    },
    failedHost: ({ attempt }, end) => failedHost(end, trunks.rulesOf(attempt.cli.trunkId)),
    freeLeg: (call, channelId) => {
      switchboard.removeLeg(call, channelId)
      monitor.leg('legEnded', call)
    },
    takeAgent: ({ attempt, plan: { blacklistOwnerIds } }, number) =>
      takeAgent(pool, lease, Number(number.slice(1)), { attemptId: attempt.id, blacklistOwnerIds }),
    isBusy: ({ attempt }, leg) => classify(leg, trunks.rulesOf(attempt.cli.trunkId)).disposition === 'BUSY',
    legCounts: ({ attempt }, leg, talkMs) =>
      agentLegCounts(classify(leg, trunks.rulesOf(attempt.cli.trunkId)), leg.alerted, talkMs),
    freeAgent: ({ attempt }, number, counts) =>
      releaseAgent(pool, lease, Number(number.slice(1)), { attemptId: attempt.id, counts }).catch((error: unknown) =>
        log.error({ error }, 'an agent stays busy until the call is settled'),
      ),
    takeCustomer: (call) => takeCustomer(pool, lease, call.attempt.id),
    extend: async (call, paisa) => {
      const reserved = await extend(pool, lease, call.attempt.id, paisa)
      if (reserved === null && !holder.isValid) throw new Error('the lease of the dialer has run out')
      return reserved
    },
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

function unheard({ pool, log, soundCache, speech }: CallPortsOptions, { attempt, plan }: Call, reason: string): void {
  log.error({ attemptId: attempt.id, campaignId: plan.campaignId, reason }, 'a prompt was not heard')
  soundCache.recheck([...plan.sounds.values(), ...attempt.spoken])
  speech.forget(plan)
  const detail = `a prompt was not heard after the answer: ${reason}; such calls are ended and not charged`
  raiseAlert(pool, 'prompt', `campaign ${plan.campaignId}`, detail).catch((error: unknown) =>
    log.error({ error }, 'an alert could not be written'),
  )
}
