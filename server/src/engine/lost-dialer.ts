import { longestMs } from '@ghanti/callflow/flow.ts'
import { openAttempts, type OpenAttempt } from './dispatch-lease.sql.ts'
import { talkLimitMs, type Plan } from './plan.ts'
import { SavedCall } from './saved-call.ts'
import type { Session } from './session.ts'
import { words } from './words.ts'
import { clearAlert, raiseAlert, tellLost } from './world.sql.ts'
import type { Ended } from './writer.ts'

const minuteMs = 60_000
const ringMs = 45_000
const graceMs = 10_000
/** However short a test's minutes are: taking a dialer over takes some seconds, and a network that falls silent for twenty is no dialer that is gone. */
const waitMsLeast = 30_000
/** A dialer that is started again is no news. */
const alertAfterMs = minuteMs

/**
 * A dialer of which nothing is heard any more: after a while an alert, and after the platform's wait its calls end LOST, uncharged and for good,
 * as soon as each must be over by the clock. So channels and money are free, and campaigns end or wait for it with nothing in the air.
 */
export class LostDialer {
  readonly #session: Session
  /** An alert is open; null: an engine before this one may have left one. */
  #isTold: boolean | null = null

  constructor(session: Session) {
    this.#session = session
  }

  async round(): Promise<void> {
    const { down, lines, deps, timeScale } = this.#session
    const subject = `dialer ${this.#session.lease.dialerId}`
    if (!down) {
      if (this.#isTold !== false) await clearAlert(deps.pool, 'dialer_down', subject)
      this.#isTold = false
      return
    }
    const downMs = performance.now() - down.since
    if (downMs >= Math.max(waitMsLeast, alertAfterMs * timeScale) && !this.#isTold) {
      await raiseAlert(deps.pool, 'dialer_down', subject, words.dialerDown(lines.dialer.name, down.reason))
      this.#isTold = true
    }
    if (downMs >= Math.max(waitMsLeast, lines.waitMinutes * minuteMs * timeScale)) await this.#endCalls()
  }

  async #endCalls(): Promise<void> {
    const session = this.#session
    const { plans, deps, lease, log } = session
    const over: { open: OpenAttempt; plan: Plan }[] = []
    for (const open of await openAttempts(deps.pool, lease.dialerId)) {
      const plan = await plans.of(open.campaign_id)
      if (endsBy(open, plan, session.timeScale) < Date.now()) over.push({ open, plan })
    }
    if (!session.down) return // it is back: its record says how they ended
    const lost = new Map<number, number>()
    const unwritten = new Set(session.writer.unwritten)
    const up = new Map(session.switchboard.calls.map((call) => [call.attempt.id, call]))
    for (const { open } of over.filter((one) => !unwritten.has(one.open.id))) {
      const call = up.get(open.id)
      if (!call) session.writer.settle(lostOutcome(open))
      else if (call.dialled) call.close(null, null)
      else {
        call.giveBack('its dialer does not answer')
        continue
      }
      lost.set(open.campaign_id, (lost.get(open.campaign_id) ?? 0) + 1)
    }
    if (lost.size === 0) return
    log.warn({ lost: [...lost] }, 'calls of a dialer that does not answer were ended')
    await tellLost(deps.pool, lease, new Map([...lost].map(([id, calls]) => [id, words.lost(calls)])))
  }
}

/** Unix ms: no telephone rings and nobody talks any more then, whatever became of us and of the dialer. */
function endsBy(open: OpenAttempt, { price, flow }: Plan, timeScale: number): number {
  const saved = open.answered_at ? SavedCall.safeParse(open.state) : null
  const talkMs = saved?.success
    ? Math.max(
        saved.data.limitMs,
        ...(saved.data.agent ? [saved.data.agent.limitMs + (saved.data.agent.beganMs ?? ringMs)] : []),
      )
    : talkLimitMs(price, longestMs(flow), open.reserved_paisa)
  const began = open.answered_at ?? open.started_at
  return began.getTime() + (ringMs + talkMs) * timeScale + graceMs * Math.min(1, timeScale)
}

function lostOutcome(open: OpenAttempt): Ended {
  return {
    attemptId: open.id,
    campaignId: open.campaign_id,
    disposition: 'LOST',
    startedAt: null,
    answeredAt: null,
    endedAt: null,
    billMs: null,
    patchBillMs: null,
    sipStatus: null,
    q850Cause: null,
    endedBy: null,
    keys: open.keys ?? '',
    trail: null,
    agent: open.agent,
    agentMissed: null,
    recordingId: null,
    unheard: false,
    alerted: false,
    retryInMs: null,
  }
}
