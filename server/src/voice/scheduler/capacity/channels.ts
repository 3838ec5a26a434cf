import type { Logger } from 'pino'
import type { ChannelAsk, FreeChannels } from './channels.sql.ts'
import type { CampaignRow } from '../../model/campaigns/snapshot.sql.ts'
import type { Step } from '../steps/steps.ts'
import { words } from '../../model/campaigns/words.ts'

type Wants = ChannelAsk['wants']

/** How often a dialer that has calls of an account asks for more of its channels. One that has none asks at once. */
const askEveryMs = 1000

/** The channels of accounts that its dialer was granted (docs/adr/55): asks for more when calls could begin, and gives back what is not used. */
export class Channels {
  readonly #ask: (wants: Wants) => Promise<FreeChannels>
  readonly #log: Logger
  /** Monotonic. */
  #askedAt = -Infinity
  /** The dialer may hold grants that it no longer uses, for instance those of the previous holder. */
  #hasAny = true

  constructor(ask: (wants: Wants) => Promise<FreeChannels>, log: Logger) {
    this.#ask = ask
    this.#log = log
  }

  /** Leaves each step as many calls as the accounts of its campaign have channels for here. `perSecond`: how many calls the dialer begins in a second. */
  async limit(steps: readonly Step[], dialer: { channels: number; perSecond: number }): Promise<void> {
    const wanting = steps.filter((step) => step.wanted > 0)
    const isDue = performance.now() - this.#askedAt >= askEveryMs
    const soon = Math.max(1, Math.ceil(dialer.perSecond))
    const asks = wanting.some(
      ({ campaign, wanted }) => campaign.free_channels < Math.min(wanted, soon) && (isDue || campaign.in_call === 0),
    )
    const wants = asks ? wanting.map(({ campaign, wanted }) => wantOf(campaign, Math.min(wanted, dialer.channels))) : []
    const free = asks || (isDue && this.#hasAny) ? await this.#askFor(wants) : null
    for (const step of wanting)
      limitStep(step, asks && free ? freeOf(step.campaign, free) : step.campaign.free_channels)
  }

  /** Asks for the channel of the one call that tries a trunk or campaign on hold. */
  async forOne(campaign: CampaignRow): Promise<void> {
    if (campaign.free_channels < 1) await this.#askFor([wantOf(campaign, 1)])
  }

  /** Null: the question failed, and nothing has changed. */
  async #askFor(wants: Wants): Promise<FreeChannels | null> {
    this.#askedAt = performance.now()
    try {
      const free = await this.#ask(wants)
      this.#hasAny = free.size > 0
      return free
    } catch (error) {
      this.#log.warn({ error }, 'channels of accounts could not be granted; asking again')
      return null
    }
  }
}

const wantOf = ({ payer_ids: payerIds }: CampaignRow, calls: number): Wants[number] => ({ payerIds, calls })

function freeOf({ payer_ids }: CampaignRow, free: FreeChannels): number {
  return Math.min(...payer_ids.map((id) => free.get(id) ?? 0))
}

function limitStep(step: Step, free: number): void {
  step.wanted = Math.min(step.wanted, free)
  if (step.wanted > 0) return
  step.did = 'wait'
  step.reason = step.campaign.in_call > 0 ? null : words.accountsBusy
}
