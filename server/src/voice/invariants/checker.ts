import { hostsMax } from '../../lib/trunk-limits.ts'
import type { InvariantRule } from '@ghanti/contract/alerts.ts'
import { dispositions, type Disposition } from '@ghanti/contract/campaign-status.ts'
import { pulsesOf, type Price } from '@ghanti/contract/money.ts'
import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import { CampaignRoutes, type CampaignRoute } from './campaign-routes.ts'
import { hoursAt } from '../../modules/platform/rules-hours.ts'

/** A trunk, or a dialer, and its capacity. */
export type Cap = { id: number; channels: number; callsPerSecond: number }

/** What engines did to dialers, in order. `at`: monotonic ms. */
export type CheckedEvent =
  /** The capacity of a dialer, its trunks and caller IDs from now on. */
  | {
      type: 'caps'
      at: number
      dialer: Cap
      trunks: readonly Cap[]
      clis: readonly { id: number; channels: number }[]
      /** What trunks share, over all dialers. Left out: nothing. */
      contracts?: readonly (Cap & { trunkIds: readonly number[] })[]
    }
  /** The trunks over which calls of campaigns may go and the caller IDs that they may show, from now on. */
  | { type: 'routes'; at: number; routes: readonly CampaignRoute[] }
  | {
      type: 'began'
      at: number
      dialerId: number
      /** Wall-clock time, for calling hours. */
      now: number
      attemptId: number
      campaignId: number
      rowNo: number
      phone: string
      attemptNo: number
      retries: number
      trunkId: number
      /** Trunks over which the same attempt was tried before, in order: each once, or once a host, and its channel there is free. */
      tried: readonly number[]
      /** Of its number, by code, as its campaign was prepared. Where a campaign's rows are not numbered by operator it says nothing. */
      operator: number
      cliId: number
      hours: CallingHours
    }
  /** Its channel is free again; its outcome is reported later. */
  | { type: 'hungUp'; at: number; attemptId: number }
  /** An agent's leg of the call. */
  | { type: 'legBegan' | 'legEnded'; at: number; attemptId: number; trunkId: number }
  | {
      type: 'ended'
      at: number
      attemptId: number
      campaignId: number
      rowNo: number
      disposition: Disposition
      billMs: number | null
      patchBillMs: number | null
      reservedPaisa: number
      price: Price
      /** Call Now: the agent's leg may be all that is charged. */
      agentFirst?: boolean
      /** When its row may be dialled again. Null: never by itself. */
      retryInMs: number | null
    }
  /** A trunk's test call. It belongs to no campaign, but its number takes one call at a time like any other. */
  | { type: 'testBegan'; at: number; dialerId: number; testId: number; trunkId: number; phone: string }
  | { type: 'testEnded'; at: number; testId: number }
  /** Numbers that are blacklisted for the campaign from now on. */
  | { type: 'suppressed'; at: number; campaignId: number; phone: string }
  /** Retry: each row that never answered gets one more attempt. */
  | { type: 'retried'; at: number; campaignId: number }
  /** The campaign is complete, cancelled or failed, with its counts. */
  | { type: 'over'; at: number; campaignId: number; attempts: number | null }

type Began = Extract<CheckedEvent, { type: 'began' }>

export type Violation = {
  rule: Exclude<InvariantRule, 'books'>
  subject: string
  detail: string
}

type Up = {
  dialerId: number
  campaignId: number
  phone: string
  trunkId: number
  cliId: number
  /** The dialer, trunk and contract of which each of its legs takes a channel. */
  lines: readonly string[]
  legs: number
  isDown: boolean
}
type Campaign = {
  final: Set<number>
  up: Set<number>
  suppressed: Set<string>
  ended: number
}

/** Tolerance for what passes between our clock and the dialer's, and for what a token bucket may catch up: 2 % and one call. */
const rateSlack = (callsPerSecond: number): number => Math.ceil(callsPerSecond * 1.02) + 1
const secondMs = 1000
const forgottenAfter = 10_000

/**
 * Checks what engines did against the rules, from the events alone. It shares no state and no decision with what it checks. The same events
 * give the same counts.
 */
export class InvariantChecker {
  readonly #up = new Map<number, Up>()
  readonly #seen = new Set<number>()
  /** The number being called and by what: an attempt of any campaign, or a test. */
  readonly #called = new Map<string, string>()
  readonly #tests = new Map<number, { lines: readonly string[]; phone: string }>()
  readonly #campaigns = new Map<number, Campaign>()
  readonly #caps = new Map<string, { channels: number; callsPerSecond: number }>()
  /** By trunk. */
  readonly #contracts = new Map<number, string>()
  readonly #routes = new CampaignRoutes()
  readonly #taken = new Map<string, number>()
  /** When calls began. Those before index `from` are more than a second old. */
  readonly #begun = new Map<string, { times: number[]; from: number }>()

  see(event: CheckedEvent): Violation[] {
    switch (event.type) {
      case 'caps':
        return this.#setCaps(event)
      case 'routes':
        this.#routes.set(event)
        return []
      case 'began':
        return this.#began(event)
      case 'hungUp':
        return this.#hungUp(event.attemptId)
      case 'legBegan':
        return this.#legs(event.attemptId, 1, event.at)
      case 'legEnded':
        return this.#legs(event.attemptId, -1, event.at)
      case 'ended':
        return this.#ended(event)
      case 'testBegan':
        return this.#testBegan(event)
      case 'testEnded':
        return this.#testEnded(event.testId)
      case 'suppressed':
        this.#campaign(event.campaignId).suppressed.add(event.phone)
        return []
      case 'retried':
        return this.#retried(event.campaignId)
      case 'over':
        return this.#over(event)
    }
  }

  #setCaps({ dialer, trunks, clis, contracts = [] }: Extract<CheckedEvent, { type: 'caps' }>): Violation[] {
    for (const { id } of trunks) this.#contracts.delete(id)
    for (const contract of contracts) {
      this.#caps.set(`contract ${contract.id}`, contract)
      for (const trunkId of contract.trunkIds) this.#contracts.set(trunkId, `contract ${contract.id}`)
    }
    this.#caps.set(`dialer ${dialer.id}`, dialer)
    for (const trunk of trunks) this.#caps.set(`trunk ${trunk.id}`, trunk)
    for (const cli of clis) this.#caps.set(`caller ID ${cli.id}`, { channels: cli.channels, callsPerSecond: Infinity })
    return []
  }

  #began(event: Began): Violation[] {
    const { attemptId, campaignId, rowNo, phone, dialerId, trunkId, cliId } = event
    const found: Violation[] = []
    const wrong = (rule: Violation['rule'], detail: string) =>
      found.push({ rule, subject: `attempt ${attemptId}`, detail })
    const campaign = this.#campaign(campaignId)
    const before = this.#up.get(attemptId)
    if (this.#seen.has(attemptId) && event.tried.length === 0) wrong('twice', 'it was begun before')
    else if (before && !before.isDown) wrong('twice', `its channel over trunk ${before.trunkId} is up`)
    if (!isOnceEach([...event.tried, trunkId])) wrong('twice', `it goes over trunk ${trunkId} again`)
    if (!before) found.push(...this.#calls(phone, `attempt ${attemptId}`))
    const wrongWay = this.#routes.wrongWay(event)
    if (wrongWay) wrong(wrongWay.rule, wrongWay.detail)
    if (campaign.final.has(rowNo)) wrong('twice', `row ${rowNo} had its final outcome`)
    if (campaign.suppressed.has(phone)) wrong('suppression', `${phone} is blacklisted`)
    if (!hoursAt(event.hours, new Date(event.now)).open) wrong('hours', `begun at ${new Date(event.now).toISOString()}`)
    if (event.attemptNo > event.retries + 1) wrong('attempts', `attempt ${event.attemptNo} of ${event.retries + 1}`)
    this.#seen.add(attemptId)
    campaign.up.add(attemptId)
    const lines = this.#linesOf(dialerId, trunkId)
    this.#up.set(attemptId, { dialerId, campaignId, phone, trunkId, cliId, lines, legs: 0, isDown: false })
    found.push(...this.#take([...lines, `caller ID ${cliId}`], 1))
    for (const line of lines) found.push(...this.#rate(line, event.at))
    return found
  }

  #testBegan({ testId, dialerId, trunkId, phone, at }: Extract<CheckedEvent, { type: 'testBegan' }>): Violation[] {
    const lines = this.#linesOf(dialerId, trunkId)
    this.#tests.set(testId, { lines, phone })
    return [
      ...this.#calls(phone, `test ${testId}`),
      ...this.#take(lines, 1),
      ...lines.flatMap((line) => this.#rate(line, at)),
    ]
  }

  #testEnded(testId: number): Violation[] {
    const test = this.#tests.get(testId)
    if (!test) return []
    this.#tests.delete(testId)
    this.#hasCalled(test.phone, `test ${testId}`)
    return this.#take(test.lines, -1)
  }

  /** A number takes one call at a time. */
  #calls(phone: string, subject: string): Violation[] {
    const other = this.#called.get(phone)
    this.#called.set(phone, subject)
    return other === undefined ? [] : [{ rule: 'twice', subject, detail: `${phone} is in a call already, ${other}` }]
  }

  #hasCalled(phone: string, subject: string): void {
    if (this.#called.get(phone) === subject) this.#called.delete(phone)
  }

  /**
   * A call may ring agents several times, one leg after the other. A contract counts agents' legs among its calls per second; a dialer and a trunk of their own
   * do not.
   */
  #legs(attemptId: number, by: 1 | -1, at: number): Violation[] {
    const call = this.#up.get(attemptId)
    if (!call) return []
    call.legs += by
    const found = this.#take(call.lines, by)
    if (by > 0 && call.legs > 1)
      found.push({ rule: 'twice', subject: `attempt ${attemptId}`, detail: 'it has two legs of agents at once' })
    const contract = by > 0 ? this.#contracts.get(call.trunkId) : undefined
    return contract === undefined ? found : [...found, ...this.#rate(contract, at)]
  }

  #hungUp(attemptId: number): Violation[] {
    const call = this.#up.get(attemptId)
    if (!call || call.isDown) return []
    call.isDown = true
    this.#take(call.lines, -1 - call.legs)
    return this.#take([`caller ID ${call.cliId}`], -1)
  }

  #ended(event: Extract<CheckedEvent, { type: 'ended' }>): Violation[] {
    const { attemptId, campaignId, rowNo, disposition } = event
    const found = moneyOf(event)
    const call = this.#up.get(attemptId)
    const campaign = this.#campaign(campaignId)
    campaign.ended += 1
    if (call) {
      this.#hungUp(attemptId)
      this.#up.delete(attemptId)
      campaign.up.delete(attemptId)
      this.#hasCalled(call.phone, `attempt ${attemptId}`)
    }
    this.#seen.delete(attemptId)
    if (!dispositions.includes(disposition))
      found.push({ rule: 'counts', subject: `attempt ${attemptId}`, detail: `${disposition} is no outcome` })
    if (event.retryInMs === null && disposition !== 'CANCEL') campaign.final.add(rowNo)
    if (event.retryInMs !== null && ['ANSWER', 'INVALID', 'LOST'].includes(disposition))
      found.push({ rule: 'attempts', subject: `attempt ${attemptId}`, detail: `${disposition} is to be dialled again` })
    return found
  }

  /** Rows that answered need not be left out here: they stay final. */
  #retried(campaignId: number): Violation[] {
    this.#campaign(campaignId).final.clear()
    return []
  }

  #over({ campaignId, attempts }: Extract<CheckedEvent, { type: 'over' }>): Violation[] {
    const campaign = this.#campaigns.get(campaignId)
    this.#campaigns.delete(campaignId)
    this.#routes.forget(campaignId)
    if (!campaign) return []
    const found: Violation[] = []
    const wrong = (detail: string) => found.push({ rule: 'counts', subject: `campaign ${campaignId}`, detail })
    if (campaign.up.size > 0) wrong(`it is over with ${campaign.up.size} calls up`)
    if (attempts !== null && campaign.ended > attempts)
      wrong(`${campaign.ended} attempts ended, ${attempts} are counted`)
    return found
  }

  /** The dialer, trunk and contract of which a leg over the trunk takes a channel. */
  #linesOf(dialerId: number, trunkId: number): string[] {
    const contract = this.#contracts.get(trunkId)
    return [`dialer ${dialerId}`, `trunk ${trunkId}`, ...(contract === undefined ? [] : [contract])]
  }

  #take(names: readonly string[], by: number): Violation[] {
    const found: Violation[] = []
    for (const name of names) {
      const taken = (this.#taken.get(name) ?? 0) + by
      this.#taken.set(name, taken)
      const cap = this.#caps.get(name)
      if (by > 0 && cap && taken > cap.channels)
        found.push({ rule: 'channels', subject: name, detail: `${taken} channels of ${cap.channels} are taken` })
    }
    return found
  }

  #rate(name: string, at: number): Violation[] {
    const begun = this.#begun.get(name) ?? { times: [], from: 0 }
    this.#begun.set(name, begun)
    begun.times.push(at)
    while (at - (begun.times[begun.from] ?? at) >= secondMs) begun.from += 1
    if (begun.from > forgottenAfter) {
      begun.times.splice(0, begun.from)
      begun.from = 0
    }
    const n = begun.times.length - begun.from
    const cap = this.#caps.get(name)
    if (!cap || n <= rateSlack(cap.callsPerSecond)) return []
    return [{ rule: 'rate', subject: name, detail: `${n} calls began within a second, ${cap.callsPerSecond} may` }]
  }

  #campaign(campaignId: number): Campaign {
    const known = this.#campaigns.get(campaignId)
    if (known) return known
    const campaign: Campaign = { final: new Set(), up: new Set(), suppressed: new Set(), ended: 0 }
    this.#campaigns.set(campaignId, campaign)
    return campaign
  }
}

/** The reservation must cover the cost of its lengths. A leg that was not answered costs nothing. */
function moneyOf(event: Extract<CheckedEvent, { type: 'ended' }>): Violation[] {
  const { billMs, patchBillMs, price, reservedPaisa, agentFirst = false } = event
  const wrong = (detail: string): Violation[] => [{ rule: 'money', subject: `attempt ${event.attemptId}`, detail }]
  if ((billMs !== null) !== (event.disposition === 'ANSWER')) return wrong(`${event.disposition} with ${billMs} ms`)
  if (billMs === null && patchBillMs !== null && !agentFirst) return wrong('an agent without a customer')
  const pulses = [billMs, patchBillMs].map((ms) => (ms === null ? 0 : pulsesOf(ms, price.pulseMs)))
  const costPaisa = pulses.reduce((sum, n) => sum + n, 0) * price.pulsePaisa
  return costPaisa > reservedPaisa ? wrong(`it costs ${costPaisa} paisa, ${reservedPaisa} are reserved`) : []
}

export function violationsOf(events: readonly CheckedEvent[]): Violation[] {
  const one = new InvariantChecker()
  return events.flatMap((event) => one.see(event))
}

/** Whether these are trunks one after the other, each with a row of its hosts. */
function isOnceEach(trunkIds: readonly number[]): boolean {
  const left = trunkIds.filter((id, n) => n === 0 || id !== trunkIds[n - 1])
  const isShort = left.every((id) => trunkIds.filter((one) => one === id).length <= hostsMax)
  return isShort && new Set(left).size === left.length
}
