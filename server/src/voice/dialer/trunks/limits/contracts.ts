import type { Switchboard } from '../../call/switchboard.ts'
import type { ContractGrant, ContractGrants, ContractWant } from './contracts.sql.ts'
import type { AgentRoom, Keeping } from './agent-room.ts'
import type { ContractRow, TrunkRow } from '../../../model/campaigns/snapshot.sql.ts'
import { words } from '../../../model/campaigns/words.ts'

/** For this long after an agent's leg found no room, calls leave it the next one. It asks more often. */
const legWaitsMs = 100
const secondMs = 1000

type Limits = { channels: number; cps: number }

const none: Limits = { channels: 0, cps: 0 }

type Contract = {
  row: ContractRow
  trunks: readonly TrunkRow[]
  /** When calls began in the last second. Each trunk spreads its own over the second. */
  begun: number[]
  granted: ContractGrant
  /** What was in use when the database was last asked. Until it answers, no more than that is used. */
  asked: Limits | null
  /** How many of the granted channels calls left to agents when channels were last shared out. */
  kept: number
  /** When an agent's leg last found no room. */
  legWaitsAt: number
}

const nothing: ContractGrant = { channels: 0, cps: 0, channelsTaken: 0, cpsTaken: 0 }

/**
 * What the dialer may use of the contracts of its trunks (docs/adr/59): channels, and calls begun within a second. The database grants it and is told what is
 * in use; a call counts for a second as one of the calls per second. Times are monotonic.
 */
export class Contracts {
  readonly #switchboard: Pick<Switchboard, 'legsOfTrunk'>
  readonly #agents: Pick<AgentRoom, 'now'>
  #contracts: ReadonlyMap<number, Contract> = new Map()
  #byTrunk: ReadonlyMap<number, Contract> = new Map()

  constructor(switchboard: Pick<Switchboard, 'legsOfTrunk'>, agents: Pick<AgentRoom, 'now'>) {
    this.#switchboard = switchboard
    this.#agents = agents
  }

  update(rows: readonly TrunkRow[]): void {
    const before = this.#contracts
    const byContract = Map.groupBy(rows, ({ contract }) => contract?.id ?? null)
    this.#contracts = new Map(
      [...byContract].flatMap(([id, trunks]) => {
        const row = trunks[0]?.contract
        if (id === null || !row) return []
        const known = before.get(id) ?? newContract(row)
        return [[id, Object.assign(known, { row, trunks })] as const]
      }),
    )
    const pairs = [...this.#contracts.values()].flatMap((one) => one.trunks.map(({ id }) => [id, one] as const))
    this.#byTrunk = new Map(pairs)
  }

  get ids(): number[] {
    return [...this.#contracts.keys()]
  }

  idOf(trunkId: number): number | undefined {
    return this.#byTrunk.get(trunkId)?.row.id
  }

  /** How many of the channels that the trunk's contract has here calls leave to agents. */
  keptOver(trunkId: number, keeping: Keeping): number {
    const contract = this.#byTrunk.get(trunkId)
    return contract ? keeping(idsOf(contract), contract.granted.channels) : 0
  }

  /**
   * How many calls may be claimed over the trunks of each contract within `ms`, less those that are claimed and wait for their moment, and the channels that
   * are kept for agents.
   */
  room(
    queued: ReadonlyMap<number, number>,
    ms: number,
    now: number,
    keeping = this.#agents.now(),
  ): { room: Map<number, number>; ofTrunk: Map<number, number> } {
    const room = new Map<number, number>()
    for (const [id, contract] of this.#contracts) {
      const { channels, cps } = limitsOf(contract)
      const waiting = contract.trunks.reduce((sum, trunk) => sum + (queued.get(trunk.id) ?? 0), 0)
      const byRate = cps - begunWithin(contract, secondMs - ms, now) - waiting
      contract.kept = keeping(idsOf(contract), contract.granted.channels)
      const byChannels = channels - this.#legsOf(contract) - contract.kept
      room.set(id, Math.max(0, Math.min(byRate, byChannels) - Number(legWaits(contract, now))))
    }
    return { room, ofTrunk: new Map([...this.#byTrunk].map(([trunkId, { row }]) => [trunkId, row.id])) }
  }

  /** Whether a call may begin over the trunk at this moment, by the calls per second of its contract. */
  mayBegin(trunkId: number, now: number): boolean {
    const contract = this.#byTrunk.get(trunkId)
    if (!contract) return true
    return !legWaits(contract, now) && begunWithin(contract, secondMs, now) < limitsOf(contract).cps
  }

  /** Whether one more channel of the trunk's contract may be taken. */
  hasChannel(trunkId: number): boolean {
    const contract = this.#byTrunk.get(trunkId)
    return !contract || this.#legsOf(contract) < limitsOf(contract).channels
  }

  /** Whether a call may be claimed for the trunk, as far as its contract is concerned. */
  hasRoom(trunkId: number): boolean {
    const contract = this.#byTrunk.get(trunkId)
    return !contract || (this.hasChannel(trunkId) && limitsOf(contract).cps > 0)
  }

  /** Whether a channel is free and a call may begin at this moment, for a single leg, which goes before calls. False: it is to ask again soon. */
  mayBeginLeg(trunkId: number, now: number): boolean {
    const contract = this.#byTrunk.get(trunkId)
    if (!contract) return true
    const may = this.hasChannel(trunkId) && begunWithin(contract, secondMs, now) < limitsOf(contract).cps
    contract.legWaitsAt = may ? -Infinity : now
    return may
  }

  begins(trunkId: number, now: number): void {
    const contract = this.#byTrunk.get(trunkId)
    if (contract) contract.begun = [...contract.begun.filter((at) => now - at < secondMs), now]
  }

  /** What keeps calls from beginning over the trunk, as a sentence. Null: nothing, or the dialer has not been granted yet what is free. */
  inTheWay(trunkId: number): string | null {
    const contract = this.#byTrunk.get(trunkId)
    if (!contract) return null
    const { row, granted, kept } = contract
    const { channels, cps } = limitsOf(contract)
    const whose = `contract ${row.name}`
    const free = channels - this.#legsOf(contract)
    if (free <= kept && granted.channelsTaken >= row.channels)
      return free <= 0 ? words.channelsBusy(row.channels, whose) : words.channelsKept(whose)
    return cps === 0 && granted.cpsTaken >= row.cps ? words.contractRate(row.cps, row.name) : null
  }

  /** Whether there is something to give back, or more is wanted than was granted: `calls` by contract. */
  needs(calls: ReadonlyMap<number, number>, dialer: Limits, now: number): { hasAny: boolean; short: boolean } {
    let [hasAny, short] = [false, false]
    const keeping = this.#agents.now()
    for (const contract of this.#contracts.values()) {
      const { granted } = contract
      const wanted = this.#wantOf(contract, calls.get(contract.row.id) ?? 0, { dialer, keeping }, now)
      const legs = this.#legsOf(contract)
      if (granted.channels > 0 || granted.cps > 0 || legs > 0) hasAny = true
      const soon = Math.min(wanted.channels - legs, wanted.cps)
      if (granted.cps < wanted.cps || granted.channels - legs < soon) short = true
    }
    return { hasAny, short }
  }

  /** What the dialer asks for of all its contracts. Until `answered` it uses no more than it has in use now. */
  ask(calls: ReadonlyMap<number, number>, dialer: Limits, now: number): ContractWant[] {
    const keeping = this.#agents.now()
    return [...this.#contracts.values()].map((contract) => {
      const legs = this.#legsOf(contract)
      const begun = begunWithin(contract, secondMs, now)
      contract.asked = { channels: legs, cps: begun }
      const wanted = this.#wantOf(contract, calls.get(contract.row.id) ?? 0, { dialer, keeping }, now)
      return { contractId: contract.row.id, legs, begun, ...wanted }
    })
  }

  /** Null: nobody knows what the database did with the question. */
  answered(grants: ContractGrants | null): void {
    for (const [id, contract] of this.#contracts) {
      if (contract.asked === null) continue // it came while the database was asked
      contract.granted = grants ? (grants.get(id) ?? nothing) : { ...contract.granted, ...limitsOf(contract) }
      contract.asked = null
    }
  }

  /** What is in use, what calls need beyond that, and the channels that calls leave to agents. */
  #wantOf(contract: Contract, calls: number, of: { dialer: Limits; keeping: Keeping }, now: number): Limits {
    const { row, trunks } = contract
    const { dialer, keeping } = of
    const legs = this.#legsOf(contract)
    const waits = Number(legWaits(contract, now))
    const own = trunks.reduce((sum, one) => ({ channels: sum.channels + one.channels, cps: sum.cps + one.cps }), none)
    const channelsMax = Math.min(dialer.channels, own.channels)
    const kept = keeping(idsOf(contract), Math.min(channelsMax, row.channels))
    const cps = calls + waits === 0 ? 0 : begunWithin(contract, secondMs, now) + calls + waits
    return {
      channels: Math.min(legs + calls + Math.max(waits, kept), channelsMax),
      cps: Math.min(cps, Math.ceil(dialer.cps), own.cps),
    }
  }

  #legsOf({ trunks }: Contract): number {
    return trunks.reduce((sum, { id }) => sum + this.#switchboard.legsOfTrunk(id), 0)
  }
}

function newContract(row: ContractRow): Contract {
  return { row, trunks: [], begun: [], granted: nothing, asked: null, kept: 0, legWaitsAt: -Infinity }
}

function idsOf({ trunks }: Contract): number[] {
  return trunks.map(({ id }) => id)
}

function limitsOf({ granted, asked }: Contract): Limits {
  if (!asked) return granted
  return { channels: Math.min(granted.channels, asked.channels), cps: Math.min(granted.cps, asked.cps) }
}

function begunWithin({ begun }: Contract, ms: number, now: number): number {
  return begun.filter((at) => now - at < ms).length
}

function legWaits({ legWaitsAt }: Contract, now: number): boolean {
  return now - legWaitsAt < legWaitsMs
}
