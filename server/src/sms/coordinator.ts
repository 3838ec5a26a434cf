import * as z from 'zod/mini'
import type { Logger } from 'pino'
import { sweep } from '../dispatch/reservation.sql.ts'
import type { LeaseHolder } from '../dispatch/lease/lease-holder.ts'
import { settings } from '../modules/platform/rules.ts'
import {
  expireSms,
  explainSms,
  leftInQueues,
  moveSmsCampaign,
  requeueSms,
  type SmsCampaignRow,
  type SmsExplanation,
} from './model/campaign.sql.ts'
import { expireLate } from './model/feeds.sql.ts'
import type { SmsContext } from './gateway/context.ts'
import { decide, whyOver, type SmsDecision } from './schedule/decide.ts'
import { settleMessages } from './settle/settle.sql.ts'
import { handleIncoming } from './inbox/inbox.ts'
import { coordinatorId, type SmsLease } from './model/lease.sql.ts'
import { giveUpLease, runRounds, takeLease } from './gateway/leased.ts'
import { settled } from './settle/outcome.ts'
import { judgeNotUnderstood } from './settle/not-understood.sql.ts'
import { prepareSms } from './prepare/prepare.ts'
import { writeSmsProgress } from './settle/progress.sql.ts'
import { forgetOld } from './settle/receipts.sql.ts'
import { markSilent, receiptsOverdue, unknownDue, type UnknownMessage } from './settle/unknown.sql.ts'
import { decideUnapproved } from './prepare/unapproved.sql.ts'
import { words } from './model/words.ts'
import { loadSmsSettings } from './model/snapshot.sql.ts'
import { noGatewayReason, type SmsSnapshot } from './schedule/snapshots.ts'

const tickMs = 250
const unknownMs = 1000
const inboxMs = 1000
const silentMs = 60_000
const oldMs = 3600_000
const notUnderstoodMs = 10_000
const rowsAtOnce = 10_000
const dayMs = 24 * 3600_000
const receiptMs = 72 * 3600_000
const prepareAgainMs = 30_000
const slot = coordinatorId

/** What the coordinator decided and why; asserted in tests. */
export type SmsTickReport = { campaigns: { campaignId: number; status: string; did: string; reason: string | null }[] }

/** Prepares, starts, holds and ends campaigns whatever gateways they use, and says why they send nothing. One per installation. */
export class Coordinator {
  readonly #context: SmsContext
  readonly #holder: LeaseHolder<SmsLease>
  readonly #log: Logger
  readonly #shutdown = new AbortController()
  readonly #onTick: (report: SmsTickReport) => void
  readonly #preparing = new Map<number, Promise<void>>()
  /** When failed preparations may be retried, in monotonic ms. */
  readonly #prepareAfter = new Map<number, number>()
  readonly #requeueFrom = new Map<number, number>()
  /** Messages after calls and of feeds that were due when last checked. */
  #due: ReadonlyMap<number, number> = new Map()
  #running: Promise<void> | null = null

  private constructor(context: SmsContext, holder: LeaseHolder<SmsLease>, onTick: (report: SmsTickReport) => void) {
    this.#context = context
    this.#holder = holder
    this.#onTick = onTick
    this.#log = context.log.child({ keeps: 'campaigns' })
  }

  /** Null when another engine has the lease. */
  static async open(context: SmsContext, onTick: (report: SmsTickReport) => void): Promise<Coordinator | null> {
    const holder = await takeLease(context, coordinatorId)
    return holder && new Coordinator(context, holder, onTick)
  }

  /** Ends with the lease, or with `end`. */
  run(): Promise<void> {
    this.#running ??= this.#run()
    return this.#running
  }

  async end(): Promise<void> {
    this.#shutdown.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const silentEveryMs = Math.max(unknownMs, silentMs * this.#context.timeScale)
    const leased = { holder: this.#holder, shutdown: this.#shutdown, log: this.#log }
    await runRounds(leased, [
      { name: 'tick', everyMs: tickMs, work: () => this.#tick() },
      { name: 'unknown', everyMs: unknownMs, work: () => this.#endUnknown() },
      { name: 'silent', everyMs: silentEveryMs, work: () => this.#findSilent() },
      { name: 'inbox', everyMs: inboxMs, work: () => this.#lookAtInbox() },
      { name: 'messages left in queues', everyMs: silentEveryMs, work: () => this.#releaseLeft() },
      {
        name: 'receipts not understood',
        everyMs: Math.max(inboxMs, notUnderstoodMs * this.#context.timeScale),
        work: () => judgeNotUnderstood(this.#context.pool),
      },
      { name: 'old rows', everyMs: oldMs, work: () => forgetOld(this.#context.pool) },
    ])
    await Promise.allSettled(this.#preparing.values())
    await giveUpLease(leased)
  }

  async #tick(): Promise<void> {
    const snapshot = await this.#context.snapshots.read({ all: true })
    const report: SmsTickReport = { campaigns: [] }
    const explanations: SmsExplanation[] = []
    this.#noteDue(snapshot.campaigns)
    for (const campaign of snapshot.campaigns) {
      const { id: campaignId, status } = campaign
      const decision = decide(campaign, this.#contextOf(campaign, snapshot))
      const did = await this.#carryOut(campaign, decision, snapshot).catch((error: unknown) => {
        this.#log.error({ error, campaignId, doing: decision.do }, 'a step of a campaign failed')
        return `${decision.do} failed`
      })
      const reason = reasonAfter(decision, campaign)
      report.campaigns.push({ campaignId, status, did, reason: reason ?? campaign.reason })
      if (reason !== undefined && reason !== campaign.reason) explanations.push({ campaignId, status, reason })
    }
    await explainSms(this.#context.pool, this.#holder.lease, explanations)
    this.#onTick(report)
  }

  /** Settling calls, and programs, queue messages behind the coordinator's back; this notifies the screens. */
  #noteDue(campaigns: readonly SmsCampaignRow[]): void {
    const following = campaigns.filter(({ call_status, is_feed }) => call_status !== null || is_feed)
    const due = new Map(following.map(({ id, fresh, waiting }) => [id, fresh + waiting]))
    for (const [id, messages] of due) if (this.#due.get(id) !== messages) this.#context.changed.add(id)
    this.#due = due
  }

  #contextOf({ id }: SmsCampaignRow, snapshot: SmsSnapshot): Parameters<typeof decide>[1] {
    return {
      now: this.#context.clock.now(),
      hours: snapshot.hours,
      blocks: snapshot.blocks,
      preparing: this.#preparing.has(id),
      noGatewayReason: (operator, sender) => noGatewayReason(snapshot, operator, sender),
    }
  }

  async #carryOut(campaign: SmsCampaignRow, decision: SmsDecision, snapshot: SmsSnapshot): Promise<string> {
    const { pool, changed } = this.#context
    const { lease } = this.#holder
    const { id: campaignId } = campaign
    switch (decision.do) {
      case 'move': {
        await writeSmsProgress(pool, [campaignId]) // before the change, so that nobody sees it complete with incomplete sums
        const moved = await moveSmsCampaign(pool, lease, { campaignId, from: [campaign.status], ...decision })
        changed.add(campaignId)
        return moved ? decision.to : `${decision.to} too late`
      }
      case 'prepare':
        return this.#prepare(campaignId) ? 'prepare' : 'wait'
      case 'sweep':
        await sweep(pool, campaign.account_id)
        return 'sweep'
      case 'expire':
        changed.add(campaignId)
        return `expire ${await expireSms(pool, lease, { campaignId, rows: rowsAtOnce, slot, reason: unsentReason(campaign) })}`
      case 'expireLate': {
        changed.add(campaignId)
        return `expire ${await expireLate(pool, lease, { campaignId, rows: rowsAtOnce, slot, reason: words.late })}`
      }
      case 'requeue':
        return `requeue ${await this.#requeue(campaignId, snapshot.dialDays * dayMs)}`
      case 'decideValues':
        changed.add(campaignId)
        return `values ${await decideUnapproved(pool, lease, { campaignId, rows: rowsAtOnce, slot })}`
      case 'wait':
        return 'wait'
    }
  }

  /** False when it is too early to retry. */
  #prepare(campaignId: number): boolean {
    if (performance.now() < (this.#prepareAfter.get(campaignId) ?? -Infinity)) return false
    const { timeScale } = this.#context
    const prepared = this.#prepareNow(campaignId)
      .then(
        () => void this.#prepareAfter.delete(campaignId),
        (error: unknown) => {
          if (this.#shutdown.signal.aborted) return
          this.#prepareAfter.set(campaignId, performance.now() + prepareAgainMs * timeScale)
          this.#log.error({ error, campaignId }, 'messages could not be prepared; trying again')
        },
      )
      .finally(() => this.#preparing.delete(campaignId))
    this.#preparing.set(campaignId, prepared)
    return true
  }

  async #prepareNow(campaignId: number): Promise<void> {
    const { pool, files, log, turns } = this.#context
    const { operatorPrefixes, textApproval } = settings
    const kept = await loadSmsSettings(pool, [operatorPrefixes.key, textApproval.key])
    const prefixes = z.parse(operatorPrefixes.schema, kept.get(operatorPrefixes.key) ?? operatorPrefixes.fallback)
    const approval = z.parse(textApproval.schema, kept.get(textApproval.key) ?? textApproval.fallback)
    const deps = { pool, files, log, turns: turns.store, prefixes, approval }
    await prepareSms(deps, this.#holder.lease, campaignId, this.#shutdown.signal)
  }

  async #requeue(campaignId: number, moreMs: number): Promise<number> {
    const from = this.#requeueFrom.get(campaignId) ?? 0
    const batch = { campaignId, from, rows: rowsAtOnce, slot, moreMs }
    const { next, requeued } = await requeueSms(this.#context.pool, this.#holder.lease, batch)
    if (next === null) this.#requeueFrom.delete(campaignId)
    else this.#requeueFrom.set(campaignId, next)
    this.#context.changed.add(campaignId)
    return requeued
  }

  /** Handles incoming messages. One that waits for a lock is retried in the next round. */
  async #lookAtInbox(): Promise<void> {
    const { failed } = await handleIncoming(this.#context.pool, this.#holder.lease, this.#shutdown.signal)
    if (failed.length > 0) this.#log.warn({ failed }, 'incoming messages could not be handled yet')
  }

  /** Ends the reservations of unknown messages after 72 h, or when a receipt arrives. */
  async #endUnknown(): Promise<void> {
    const { pool, changed } = this.#context
    const due = await unknownDue(pool, receiptMs)
    const outcomes = due.map((one) => settled(one.id, chargedOf(one)))
    const settledIds = new Set(await settleMessages(pool, this.#holder.lease, slot, outcomes))
    for (const one of due) if (settledIds.has(one.id)) changed.add(one.campaign_id)
  }

  /** A call that ended together with its campaign of messages, or a program, may have queued messages in a campaign that is over. */
  async #releaseLeft(): Promise<void> {
    const { pool, changed } = this.#context
    for (const campaignId of await leftInQueues(pool)) {
      await expireSms(pool, this.#holder.lease, { campaignId, rows: rowsAtOnce, slot, reason: words.stoppedUnsent })
      changed.add(campaignId)
    }
  }

  /** Accepted messages without a receipt for 72 h become unknown. */
  async #findSilent(): Promise<void> {
    const { pool, changed } = this.#context
    for (const campaignId of await receiptsOverdue(pool, silentMs)) {
      for (let from: number | null = 0; from !== null && !this.#shutdown.signal.aborted;) {
        const batch = { campaignId, from, rows: rowsAtOnce, slot, waitMs: receiptMs, reason: words.noReceipt }
        const { next, silent } = await markSilent(pool, this.#holder.lease, batch)
        if (silent > 0) changed.add(campaignId)
        from = next
      }
    }
  }
}

function unsentReason({ status, not_after }: SmsCampaignRow): string {
  if (status === 'cancelling') return words.stoppedUnsent
  return not_after ? words.notSentInTime : words.notSent
}

function reasonAfter(decision: SmsDecision, campaign: SmsCampaignRow): string | null | undefined {
  if (decision.do === 'wait') return decision.reason
  if (decision.do === 'expire') return campaign.status === 'cancelling' ? undefined : whyOver(campaign)
  if (decision.do === 'requeue') return words.requeueing
  return decision.do === 'sweep' ? campaign.reason : undefined
}

/** How many segments an unknown message costs in the end (docs/design.md#messages). */
function chargedOf({ proven, accepted, segments, answered, unknown_charged }: UnknownMessage): number {
  if (proven) return accepted
  if (unknown_charged ?? answered) return segments
  return accepted
}
