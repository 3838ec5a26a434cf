import type { Session } from '../../dialer/session/session.ts'
import { holdReasonOf, type DecisionContext } from '../decide/decide.ts'
import { cancelledOf, reportHoldReasons, shareCampaign, type HoldReport } from '../../model/campaigns/shared.sql.ts'
import { carryingSome, concerned } from '../../model/campaigns/sharing.ts'
import type { CampaignRow } from '../../model/campaigns/snapshot.sql.ts'
import { cursorIdsOf } from '../../model/campaigns/streams.ts'
import { words } from '../../model/campaigns/words.ts'

/** What a campaign had when it was seen last. */
type Seen = Pick<CampaignRow, 'leads' | 'status' | 'is_retry'> & { counts: string; cursorIds: readonly number[] }

/**
 * The campaigns of a dialer whose calls go over other dialers, too (docs/adr/53). The engine of the dialer that leads one decides what becomes of it; each
 * other engine tells it what keeps its dialer from the campaign's calls.
 */
export class SharedCampaigns {
  readonly #session: Session
  readonly #seen = new Map<number, Seen>()
  #said: HoldReport[] = []

  constructor(session: Session) {
    this.#session = session
  }

  /** Called for each campaign before its next step is decided. */
  async found(campaign: CampaignRow): Promise<void> {
    const { deps, lease } = this.#session
    const { id, leads, is_shared: isShared, spans } = campaign
    if (leads && isShared !== spans) await shareCampaign(deps.pool, lease, id)
    if (!isShared) return void this.#seen.delete(id)
    this.#compare(campaign)
  }

  /** Reports what other engines did to the campaign since it was seen last. */
  #compare(campaign: CampaignRow): void {
    const { plans, monitor, changed } = this.#session
    const { id, leads, status, is_retry, attempts, fresh, waiting, in_call } = campaign
    const before = this.#seen.get(id)
    const counts = [attempts, fresh, waiting, in_call].join(' ')
    this.#seen.set(id, { leads, status, is_retry, counts, cursorIds: cursorIdsOf(campaign) })
    if (leads && before?.counts !== counts) changed.add(id)
    if (leads) return
    const isRetried = campaign.retry_requested || (before !== undefined && before.is_retry !== is_retry)
    if (isRetried) monitor.retried(id)
    const begins = status === 'running' && before?.status !== 'running'
    if (isRetried || begins) plans.forget(id) // it may have been changed until it began
  }

  /** Tells the other engines what keeps this dialer from the campaign's calls, when that has changed. */
  decided(campaign: CampaignRow, context: DecisionContext): void {
    if (!campaign.is_shared) return
    const holdReason = holdReasonOf(campaign, context)
    const streams = context.faultsHere && Object.fromEntries(context.faultsHere.map((one) => [one.stream, one.reason]))
    const { said } = campaign
    const isKnown = said?.epoch === this.#session.lease.epoch && said.reason === (holdReason?.reason ?? null)
    const yielded = this.#session.yieldedRows.yieldedOf(campaign)
    const areKnown = (known: unknown, now: unknown): boolean =>
      JSON.stringify(known ?? null) === JSON.stringify(now ?? null)
    if (isKnown && areKnown(said.streams, streams) && areKnown(said.yielded, yielded)) return
    this.#said.push({ campaignId: campaign.id, holdReason, streams, yielded })
  }

  /**
   * When this dialer is taken out of a route, it no longer sees the route's campaigns, and their calls go on until they end. They end at once when the campaign is
   * stopped. `campaigns`: all that are not over.
   */
  async endCancelled(campaigns: readonly CampaignRow[]): Promise<void> {
    const { deps, switchboard } = this.#session
    const seen = new Set(campaigns.map(({ id }) => id))
    const unseen = switchboard.campaignIds.filter((id) => !seen.has(id))
    if (unseen.length === 0) return
    for (const { id, end_now: endNow } of await cancelledOf(deps.pool, unseen))
      for (const call of switchboard.ofCampaign(id)) call.cancel(endNow)
  }

  async say(): Promise<void> {
    const said = this.#said
    this.#said = []
    const { deps, lease } = this.#session
    await reportHoldReasons(deps.pool, lease, said)
  }

  /** Forgets all campaigns but these, which are all that are not over. Returns the forgotten ones that this dialer called for and did not lead. */
  only(campaigns: readonly CampaignRow[]): { id: number; cursorIds: readonly number[] }[] {
    const ids = new Set(campaigns.map(({ id }) => id))
    const gone = [...this.#seen].filter(([id]) => !ids.has(id))
    for (const [id] of gone) this.#seen.delete(id)
    return gone.flatMap(([id, { leads, cursorIds }]) => (leads ? [] : [{ id, cursorIds }]))
  }
}

/** Over which dialers the calls of a campaign go that this dialer calls for, where some dialer carries none, and why. Null: there is nothing to say. */
export function sharedInWords(campaign: CampaignRow, here: string): string | null {
  const idle = campaign.is_shared ? concerned(campaign).find(({ reason }) => reason !== null) : undefined
  if (!idle?.reason) return null
  return words.goesOver([here, ...carryingSome(campaign).map(({ name }) => name)], idle.reason)
}
