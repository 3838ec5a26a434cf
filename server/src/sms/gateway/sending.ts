import { operatorPrefixesDefault } from '@ghanti/contract/operators.ts'
import type { SmsGateway } from '../../drivers/sms/driver.ts'
import { sweep } from '../../dispatch/reservation.sql.ts'
import { distribute, firstTurn, type RoundRobin, type Demand } from '../../dispatch/turns/pacing.ts'
import { looksAfter, type LastClaim } from '../../dispatch/turns/looks.ts'
import { MessageValidator } from '../../modules/contacts/rows/rules-message.ts'
import { closedNow } from '../../modules/platform/rules-dialling.ts'
import { textsOfRow } from '../../modules/sms-campaigns/rules.ts'
import { textNoOf } from '../../modules/voice-compose/rules-texts.ts'
import { explainSms, moveSmsCampaign, type SmsCampaignRow } from '../model/campaign.sql.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'
import { claim, type ClaimedMessage, type SmsClaim } from '../model/claim.sql.ts'
import type { SmsContext } from './context.ts'
import { maySend, readyNow, shortOfMoney } from '../schedule/decide.ts'
import type { SmsLease } from '../model/lease.sql.ts'
import { partOf } from '../model/routing.ts'
import { SenderRateLimiter } from '../model/sender-rate-limiter.ts'
import { gatewaysOf, carriersOf, type SmsSnapshot } from '../schedule/snapshots.ts'
import type { GatewayRow } from '../model/snapshot.sql.ts'

/** A claimed message, to be handed to the gateway. */
export type Taken = {
  message: ClaimedMessage
  campaignId: number
  from: string
  text: string
  /** Whether it probes if a gateway with an open circuit breaker works again. */
  probe: boolean
  /** Checked again before sending: the permitted hours, or its own time, may have ended while it waited. */
  mayLeave: () => boolean
}

type SendingOptions = {
  context: SmsContext
  row: GatewayRow
  gateway: SmsGateway
  lease: SmsLease
  circuitBreaker: CircuitBreaker
  pendingSegments: () => number
  /** Neither the lease nor the machine is in doubt. */
  isCalm: () => boolean
  send: (taken: Taken) => void
}

type Stream = { campaign: SmsCampaignRow; operator: number; ready: number; key: number }

const tickSeconds = 0.25
/** How much may wait in front of the gateway: enough until the next ticks, little enough to be unknown after a crash. */
const aheadSeconds = 0.4
const claimMax = 500
/** Claiming stops after this time within a tick, so that a pause or stop is noticed soon. */
const claimsMs = 200
const operatorsMax = 10
const keyOf = (campaignId: number, operator: number): number => campaignId * operatorsMax + operator

/** Claims what the gateway can take, round robin by customer, one message at a time, whatever the size of their campaigns. */
export class Sending {
  readonly #options: SendingOptions
  readonly #texts = new Map<number, { validator: MessageValidator; text: string }>()
  readonly #senderLimiter = new SenderRateLimiter()
  #round: RoundRobin = firstTurn
  #segmentsEach = 1
  /** By stream, the last claim that met rows that may not be sent. */
  readonly #last = new Map<number, LastClaim>()

  constructor(options: SendingOptions) {
    this.#options = options
  }

  async tick(): Promise<void> {
    const { context, circuitBreaker, row, gateway, isCalm } = this.#options
    const mode = circuitBreaker.mayClaim(context.clock.now().getTime())
    if (!isCalm() || !gateway.state.bound || mode === 'none') return
    const room = mode === 'one' ? 1 : Math.floor(this.#room() / this.#segmentsEach)
    if (room <= 0) return
    const snapshot = await context.snapshots.running()
    this.#forget(snapshot)
    const streams = this.#streams(snapshot, this.#isClosed(snapshot))
    if (streams.length === 0) return
    const limits = {
      dialer: room,
      trunks: new Map([[row.id, Infinity]]),
      inUse: new Map(),
      clis: new Map([[0, Infinity]]),
    }
    const { portions, round } = distribute(
      streams.map((stream) => this.#demand(stream)),
      limits,
      this.#round,
    )
    this.#round = round
    const callsOf = new Map(portions.map(({ campaignId, calls }) => [campaignId, calls]))
    const until = performance.now() + claimsMs
    for (const stream of streams) {
      const wanted = Math.min(callsOf.get(stream.key) ?? 0, this.#paced(snapshot, stream.campaign))
      if (wanted === 0) continue
      if (performance.now() > until || !isCalm()) break
      if (!stream.campaign.is_feed && this.#isClosed(snapshot)) continue
      if (mode === 'one') circuitBreaker.probing()
      const sent = await this.#claim(snapshot, stream, wanted, mode === 'one').catch((error: unknown) => {
        circuitBreaker.notProbed()
        throw error
      })
      if (mode === 'one' && sent > 0) return
      if (mode === 'one') circuitBreaker.notProbed()
    }
  }

  /** Claims only urgent messages outside the permitted hours, even before the coordinator has put the campaigns on hold. */
  #isClosed({ hours }: SmsSnapshot): boolean {
    return closedNow(hours, this.#options.context.clock.now()) !== null
  }

  /** How many segments may be claimed now. */
  #room(): number {
    const { row, gateway, pendingSegments } = this.#options
    const { tps } = limitsOf(row)
    return Math.ceil(tps * aheadSeconds) + gateway.state.windowUsed - pendingSegments()
  }

  /** What this gateway may take of each campaign, in round-robin order. */
  #streams(snapshot: SmsSnapshot, urgentOnly: boolean): Stream[] {
    const { row } = this.#options
    const own = { gatewayId: row.id, works: true }
    const tpsOf = (id: number): number => limitsOf(snapshot.gateways.get(id) ?? row).tps
    return snapshot.campaigns.flatMap((campaign) =>
      campaign.streams.flatMap((stream) => {
        const { operator } = stream
        const rows = readyNow(stream, urgentOnly)
        if (rows === 0 || campaign.retry_requested || !maySend(campaign, operator)) return []
        const found = partOf(carriersOf(snapshot, { operator, sender: campaign.sender }, own), row.id, tpsOf)
        if (!found) return []
        const perTick = Math.ceil((found.perSecond * (tickSeconds + aheadSeconds)) / this.#segmentsEach)
        const paced = this.#paced(snapshot, campaign)
        const ready = Math.min(Math.ceil(rows * found.part), perTick, paced, claimMax)
        if (ready === 0) return []
        return [{ campaign, operator, ready, key: keyOf(campaign.id, operator) }]
      }),
    )
  }

  /** How many messages may be sent under its sender ID now; gateways that carry it share its limit. */
  #paced(snapshot: SmsSnapshot, { sender, sender_tps: tps }: SmsCampaignRow): number {
    if (tps === null) return Infinity
    const own = { gatewayId: this.#options.row.id, works: true }
    return Math.ceil(this.#senderLimiter.room(sender, tps / gatewaysOf(snapshot, sender, own)) / this.#segmentsEach)
  }

  #demand({ campaign, ready, key }: Stream): Demand {
    const route = [{ trunkId: this.#options.row.id, priority: 1, weight: 1, costPaisa: 0 }]
    const streams = [{ stream: null, rows: Infinity, route }]
    return { campaignId: key, userId: campaign.account_id, streams, clisOver: () => [0], wanted: ready }
  }

  async #claim(
    snapshot: SmsSnapshot,
    { campaign, operator, key }: Stream,
    wanted: number,
    probe: boolean,
  ): Promise<number> {
    const { context, lease, row, send } = this.#options
    const urgentOnly = this.#isClosed(snapshot)
    const claimed = await claim(context.pool, lease, {
      campaignId: campaign.id,
      operator,
      wanted,
      slot: row.id,
      payerIds: campaign.payer_ids,
      blacklistOwnerIds: [...campaign.payer_ids, campaign.mint_id],
      caps: snapshot.caps,
      probe,
      looks: looksAfter(this.#last.get(key), wanted),
      urgentOnly,
    })
    const { messages, blocked, putOff } = claimed
    if (blocked + putOff > 0) this.#last.set(key, { taken: messages.length, passed: blocked + putOff })
    else this.#last.delete(key)
    context.changed.add(campaign.id)
    const mayLeave = ({ is_urgent: isUrgent, until }: ClaimedMessage): boolean =>
      (isUrgent || !this.#isClosed(snapshot)) && (until === null || until > context.clock.now())
    for (const message of messages) {
      this.#senderLimiter.took(campaign.sender, message.segments)
      this.#segmentsEach += (message.segments - this.#segmentsEach) / 100
      const text = this.#textOf(campaign, message)
      send({
        message,
        campaignId: campaign.id,
        from: campaign.sender,
        text,
        probe,
        mayLeave: () => mayLeave(message),
      })
    }
    await this.#explainShort(campaign, claimed)
    return messages.length
  }

  #textOf(campaign: SmsCampaignRow, { no, phone, vars }: ClaimedMessage): string {
    const { id, call_texts: texts } = campaign
    const textNo = texts ? textNoOf(no) : 0
    const text = texts?.[textNo] ?? campaign.text
    if (campaign.template === 0) return text
    const key = id * textsOfRow + textNo
    let known = this.#texts.get(key)
    if (known?.text !== text) {
      const validator = new MessageValidator({
        templateId: campaign.template,
        text,
        operators: [],
        prefixes: operatorPrefixesDefault,
      })
      known = { validator, text }
      this.#texts.set(key, known)
    }
    return known.validator.textOf({ phone, values: vars ?? {} })
  }

  /** Reports that the money does not suffice for the next message. */
  async #explainShort(campaign: SmsCampaignRow, { messages, short }: SmsClaim): Promise<void> {
    if (short === null || messages.length > 0) return
    const { pool } = this.#options.context
    const { lease } = this.#options
    const decision = shortOfMoney(campaign, short)
    if (decision.do === 'sweep') await sweep(pool, campaign.account_id)
    else if (decision.do === 'move')
      await moveSmsCampaign(pool, lease, { campaignId: campaign.id, from: ['running'], ...decision })
    else if (decision.do === 'wait' && decision.reason !== undefined)
      await explainSms(pool, lease, [{ campaignId: campaign.id, status: 'running', reason: decision.reason }])
  }

  #forget({ campaigns }: SmsSnapshot): void {
    const running = new Set(campaigns.map(({ id }) => id))
    this.#senderLimiter.forget(new Set(campaigns.map(({ sender }) => sender.toLowerCase())))
    for (const key of this.#last.keys()) if (!running.has(Math.floor(key / operatorsMax))) this.#last.delete(key)
    for (const key of this.#texts.keys()) if (!running.has(Math.floor(key / textsOfRow))) this.#texts.delete(key)
  }
}

/** The gateway's limits: unanswered segments, and segments per second. */
function limitsOf({ settings }: Pick<GatewayRow, 'settings'>): { tps: number } {
  const tps = Number(settings['tps'])
  return { tps: Number.isFinite(tps) && tps > 0 ? tps : 1 }
}
