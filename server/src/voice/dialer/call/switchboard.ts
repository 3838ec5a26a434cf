import type { ChannelEvent } from '../../../drivers/telephony/driver.ts'
import type { Call } from './call.ts'
import { customerOfBridge } from '../../../dispatch/channel-names.ts'

/**
 * The calls of one dialer that are up, by channel, and the channels they take. A leg takes one channel of trunk and dialer; a call takes one
 * of its CLI.
 */
export class Switchboard {
  readonly #calls = new Map<number, Call>()
  readonly #byChannel = new Map<string, Call>()
  readonly #byCampaign = new Map<number, Set<Call>>()
  readonly #legsOfTrunk = new Map<number, number>()
  readonly #callsOfCli = new Map<number, number>()
  /** Channels of test calls, by trunk. They belong to no campaign but take a channel each. */
  readonly #tests = new Map<string, number>()

  /** All channels: customers', agents' and test calls'. */
  get legs(): number {
    return this.#byChannel.size + this.#tests.size
  }

  get callsByTrunk(): Map<number, number> {
    const calls = new Map<number, number>()
    for (const { attempt } of this.#calls.values()) bump(calls, attempt.cli.trunkId, 1)
    for (const trunkId of this.#tests.values()) bump(calls, trunkId, 1)
    return calls
  }

  get byCampaign(): ReadonlyMap<number, ReadonlySet<Call>> {
    return this.#byCampaign
  }

  addTest(channelId: string, trunkId: number): void {
    if (this.#tests.has(channelId)) return
    this.#tests.set(channelId, trunkId)
    bump(this.#legsOfTrunk, trunkId, 1)
  }

  removeTest(channelId: string): void {
    const trunkId = this.#tests.get(channelId)
    if (trunkId === undefined) return
    this.#tests.delete(channelId)
    bump(this.#legsOfTrunk, trunkId, -1)
  }

  get calls(): Call[] {
    return [...this.#calls.values()]
  }

  legsOfTrunk(trunkId: number): number {
    return this.#legsOfTrunk.get(trunkId) ?? 0
  }

  callsOfCli(cliId: number): number {
    return this.#callsOfCli.get(cliId) ?? 0
  }

  get campaignIds(): number[] {
    return [...this.#byCampaign.keys()]
  }

  ofCampaign(campaignId: number): Call[] {
    return [...(this.#byCampaign.get(campaignId) ?? [])]
  }

  has(channelId: string): boolean {
    return this.#byChannel.has(channelId) || this.#tests.has(channelId)
  }

  /** Whose channel it is. Null: nobody's here. A trunk's test has no campaign. */
  placeOf(channelId: string): { trunkId: number; campaignId: number | null; isTest: boolean } | null {
    const call = this.#byChannel.get(channelId)
    if (call) {
      const { campaignId, isTest } = call.plan
      return { trunkId: call.attempt.cli.trunkId, campaignId, isTest }
    }
    const trunkId = this.#tests.get(channelId)
    return trunkId === undefined ? null : { trunkId, campaignId: null, isTest: true }
  }

  add(call: Call): void {
    this.#calls.set(call.attempt.id, call)
    const { campaignId } = call.plan
    const calls = this.#byCampaign.get(campaignId) ?? new Set()
    this.#byCampaign.set(campaignId, calls.add(call))
    bump(this.#callsOfCli, call.attempt.cli.id, 1)
    this.addLeg(call, call.attempt.channelId)
  }

  remove(call: Call): void {
    if (!this.#calls.delete(call.attempt.id)) return
    const { campaignId } = call.plan
    const calls = this.#byCampaign.get(campaignId)
    calls?.delete(call)
    if (calls?.size === 0) this.#byCampaign.delete(campaignId)
    bump(this.#callsOfCli, call.attempt.cli.id, -1)
    this.removeLeg(call, call.attempt.channelId)
  }

  addLeg(call: Call, channelId: string): void {
    if (this.#byChannel.has(channelId)) return
    this.#byChannel.set(channelId, call)
    bump(this.#legsOfTrunk, call.attempt.cli.trunkId, 1)
  }

  removeLeg(call: Call, channelId: string): void {
    if (this.#byChannel.delete(channelId)) bump(this.#legsOfTrunk, call.attempt.cli.trunkId, -1)
  }

  deliver(event: Exclude<ChannelEvent, { type: 'recordingEnded' }>): void {
    const channelId = event.type === 'bridgePlaybackEnded' ? customerOfBridge(event.bridgeId) : event.channelId
    this.#byChannel.get(channelId)?.onEvent(event)
  }
}

function bump(counts: Map<number, number>, key: number, by: number): void {
  const n = (counts.get(key) ?? 0) + by
  if (n === 0) counts.delete(key)
  else counts.set(key, n)
}
