import { longestMs } from '@ghanti/callflow/flow.ts'
import { openAttempts, type OpenAttempt } from '../../../dispatch/lease/lease.sql.ts'
import { nothingKnown } from '../dial/outcome.ts'
import { accountOf, talkLimitMs, type Plan } from '../../model/calls/plan.ts'
import { SavedCall } from '../../model/calls/saved-call.ts'
import type { Session } from './session.ts'
import { words } from '../../model/campaigns/words.ts'
import { takeBack } from '../../settle/given-up.sql.ts'
import { clearAlert, raiseAlert } from '../../../dispatch/alerts.sql.ts'
import { reportLost } from '../recover/lost-calls.sql.ts'

const minuteMs = 60_000
const graceMs = 10_000
/** A dialer that is merely restarted raises no alert. Alert and wait count from when the dialer was lost, whichever engine saw that. */
const alertAfterMs = minuteMs

/**
 * Handles a dialer that has gone silent. After a while it raises an alert. After the platform's wait it ends the calls LOST, uncharged and for
 * good, each as soon as it must be over by the clock; at once when a person has given the dialer up. Channels and money are then free, and
 * campaigns can end.
 */
export class LostDialer {
  readonly #session: Session
  readonly #scale: number
  /** An alert is open. Null: an earlier engine may have left one. */
  #isAlerted: boolean | null = null

  constructor(session: Session, scale: number) {
    this.#session = session
    this.#scale = scale
  }

  /** False for a dialer that answers and was never lost, or is back with everything that follows from it. */
  get isDue(): boolean {
    const { down, trunks } = this.#session
    return down !== null || this.#isAlerted !== false || trunks.dialer.given_up
  }

  async round(): Promise<void> {
    const { down, trunks, deps, lease, log } = this.#session
    const subject = `dialer ${lease.dialerId}`
    if (!down) {
      if (this.#isAlerted !== false) await clearAlert(deps.pool, 'dialer_down', subject)
      this.#isAlerted = false
      if (await takeDialerBack(this.#session)) log.info('a dialer that was given up is back')
      return
    }
    if (!this.#session.gone) return
    if (trunks.dialer.given_up) return await this.#endCalls(true)
    const downMs = performance.now() - down.since
    if (downMs < alertAfterMs * this.#scale) return // no wait is shorter
    if (!this.#isAlerted) {
      await raiseAlert(deps.pool, 'dialer_down', subject, words.dialerDown(trunks.dialer.name, down.reason))
      this.#isAlerted = true
    }
    const waitMinutes = await deps.polls.waitMinutes.ask(lease.dialerId)
    if (downMs >= waitMinutes * minuteMs * this.#scale) await this.#endCalls(false)
  }

  /** `atOnce`: also calls that may still last, and attempts whose outcome is parked, which otherwise might never be settled. */
  async #endCalls(atOnce: boolean): Promise<void> {
    const { plans, deps, lease, trunks, log, switchboard, writer, ends } = this.#session
    const over: OpenAttempt[] = []
    for (const open of await openAttempts(deps.pool, lease.dialerId, { parkedToo: atOnce })) {
      const plan = await plans.of(open.campaign_id)
      const began = (open.answered_at ?? open.started_at).getTime()
      if (atOnce || began + mayLastMs(open, plan, trunks.ringMs(open.trunk_id, plan)) * this.#scale < Date.now())
        over.push(open)
    }
    if (!this.#session.gone) return // it is back, or about to be: its record says how they ended
    const lost = new Map<number, number>()
    const known = new Set([...writer.unwritten, ...ends.attemptIds])
    const up = new Map(switchboard.calls.map((call) => [call.attempt.id, call]))
    for (const { id, campaign_id, keys, agent, is_parked } of over.filter((one) => !known.has(one.id))) {
      const call = up.get(id)
      if (!call) {
        const heard = is_parked ? {} : { keys: keys ?? '', agent } // a parked outcome is not reported again
        const ended = { attemptId: id, campaignId: campaign_id, ...heard }
        writer.settle({ ...nothingKnown, ...ended, disposition: 'LOST' }, accountOf(await plans.of(campaign_id)))
      } else if (call.dialled) call.close(null, { state: 'gone', leg: null })
      else {
        call.giveBack('its dialer does not answer')
        continue
      }
      lost.set(campaign_id, (lost.get(campaign_id) ?? 0) + 1)
    }
    if (lost.size === 0) return
    for (const { id } of over.filter((one) => one.is_parked))
      await clearAlert(deps.pool, 'outcome_parked', `attempt ${id}`)
    log.warn({ lost: [...lost] }, 'calls of a dialer that does not answer were ended')
    await reportLost(deps.pool, lease, new Map([...lost].map(([id, calls]) => [id, words.lost(calls)])))
  }
}

/** The dialer answers: calls may begin there as before, also as far as this engine knows. False: nobody had given it up. */
export async function takeDialerBack({ trunks, deps, lease }: Session): Promise<boolean> {
  if (!trunks.dialer.given_up) return false
  const isBack = await takeBack(deps.pool, lease)
  trunks.takenBack()
  return isBack
}

type Saved = Pick<OpenAttempt, 'answered_at' | 'state' | 'reserved_paisa'>

/**
 * How long a call may last, counted from its answer if that was seen, otherwise from its claim. After this time no telephone rings and nobody talks
 * any more, whatever became of engine and dialer.
 */
export function mayLastMs(open: Saved, plan: Pick<Plan, 'price' | 'flow'>, ringMs: number): number {
  const mayRingMs = open.answered_at ? 0 : ringMs
  return mayRingMs + mayTalkMs(open, plan) + graceMs
}

/** From its answer, with its agent's leg. */
function mayTalkMs(open: Saved, { price, flow }: Pick<Plan, 'price' | 'flow'>): number {
  const saved = open.answered_at ? SavedCall.safeParse(open.state) : null
  if (!saved?.success) return talkLimitMs(price, longestMs(flow), open.reserved_paisa)
  const { limitMs, agent } = saved.data
  return agent ? Math.max(limitMs, agent.limitMs + (agent.beganMs ?? limitMs)) : limitMs
}
