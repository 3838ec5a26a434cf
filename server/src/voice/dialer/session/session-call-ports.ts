import { raiseAlert } from '../../../dispatch/alerts.sql.ts'
import type { DialerConnection } from '../../../drivers/telephony/driver.ts'
import type { DialerSounds } from '../audio/dialer-sounds.ts'
import type { CallPorts } from '../call/call-ports.ts'
import type { Call } from '../call/call.ts'
import type { Plan } from '../../model/calls/plan.ts'
import { recordTestCall } from '../call/transcript.sql.ts'
import { lostConnection } from '../dial/lost-connection.ts'
import { releaseAgent, takeAgent, takeCustomer } from '../../model/campaigns/numbers.sql.ts'
import { agentLegCounts, classify, failedHost } from '../../model/calls/disposition.ts'
import { extend } from '../../../dispatch/reservation.sql.ts'
import type { SessionCalls } from './session-calls.ts'
import type { SessionContext } from '../connection/session-context.ts'
import type { SessionTrunks } from './session-trunks.ts'

/** What the calls of a dialer ask of their session and report to it; the same for all of them. */
export function callPortsOf(
  context: SessionContext,
  sessionTrunks: SessionTrunks,
  sounds: DialerSounds,
  calls: SessionCalls,
): CallPorts {
  const { deps, log, holder, switchboard, monitor } = context
  const { recordings } = sounds
  const { pool } = deps
  const { lease } = holder
  const { trunks, health } = sessionTrunks
  let lines = 0
  return {
    get connection() {
      return connectionOf(context)
    },
    epoch: lease.epoch,
    ringMs: ({ attempt, plan }) => trunks.ringMs(attempt.cli.trunkId, plan),
    save: (step) => calls.writer.save(step),
    carried: (call) => {
      health.carried(call)
      sessionTrunks.testSuspect()
    },
    ended: (call, end) => calls.ends.ended(call, end),
    unresolved: (call) => calls.recovery.unresolved(call),
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
    unheard: (call, reason) => unheard(context, sounds, call, reason),
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

/** The newest connection, even when it is gone. */
function connectionOf({ link, holder }: SessionContext): DialerConnection {
  const { newest } = link
  if (!newest) throw new Error('the dialer was never connected')
  return holder.lost === null ? newest : lostConnection(newest.speed)
}

function unheard({ deps, log }: SessionContext, sounds: DialerSounds, { attempt, plan }: Call, reason: string): void {
  log.error({ attemptId: attempt.id, campaignId: plan.campaignId, reason }, 'a prompt was not heard')
  sounds.cache.recheck([...plan.sounds.values(), ...attempt.spoken])
  sounds.speech.forget(plan)
  const detail = `a prompt was not heard after the answer: ${reason}; such calls are ended and not charged`
  raiseAlert(deps.pool, 'prompt', `campaign ${plan.campaignId}`, detail).catch((error: unknown) =>
    log.error({ error }, 'an alert could not be written'),
  )
}
