import type { Logger } from 'pino'
import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import type { Call } from '../dialer/call/call.ts'
import type { Served } from './campaign-routes.ts'
import { InvariantChecker, type Cap, type CheckedEvent } from './checker.ts'
import type { Queryable } from '../../dispatch/statement.ts'
import { raiseAlert } from '../../dispatch/alerts.sql.ts'
import type { CampaignRow, ContractRow, DialerRow, TrunkRow } from '../model/campaigns/snapshot.sql.ts'
import type { RouteStep } from '../../dispatch/turns/route-step.ts'
import { clisOf } from '../model/campaigns/route.ts'
import { shownClisOf } from '../dialer/trunks/limits/shown-clis.ts'
import type { Ended } from '../settle/writer-of-dialer.ts'

export class InvariantMonitor {
  readonly #checker = new InvariantChecker()
  readonly #db: Queryable
  readonly #log: Logger
  readonly #hours: ReadonlyMap<number, CallingHours>
  readonly #dialerId: number
  #caps = ''
  #routes = ''
  /** By trunk, the caller IDs that it may show, as it lists them. */
  #shows: ReadonlyMap<number, readonly string[]> = new Map()
  /** Snapshots whose caps are known: an idle dialer's are the same objects tick after tick. */
  #setUpWith: readonly unknown[] = []

  constructor(db: Queryable, log: Logger, hours: ReadonlyMap<number, CallingHours>, dialerId: number) {
    this.#hours = hours
    this.#dialerId = dialerId
    this.#db = db
    this.#log = log
  }

  /** The capacity of dialer, trunks and caller IDs, and the trunks and caller IDs of each campaign, as a tick found them. */
  setUp(dialer: DialerRow, trunks: readonly TrunkRow[], campaigns: readonly CampaignRow[]): void {
    const parts = [dialer, trunks, campaigns.length > 0 ? campaigns : null]
    if (parts.every((one, at) => one === this.#setUpWith[at])) return
    if (trunks !== this.#setUpWith[1]) this.#shows = new Map(trunks.map((trunk) => [trunk.id, shownClisOf(trunk)]))
    this.#setUpWith = parts
    this.#setRoutes(campaigns)
    const clis = new Map(campaigns.flatMap(clisOf).map((cli) => [cli.id, cli.channels]))
    const capOf = (id: number, row: { channels: number; cps: number }): Cap => ({
      id,
      channels: row.channels,
      callsPerSecond: row.cps,
    })
    const caps = {
      dialer: capOf(dialer.id, dialer),
      trunks: trunks.map((trunk) => capOf(trunk.id, trunk)),
      clis: [...clis].map(([id, channels]) => ({ id, channels })),
      contracts: contractsOf(trunks).map(({ contract, trunkIds }) => ({ ...capOf(contract.id, contract), trunkIds })),
    }
    const text = JSON.stringify(caps)
    if (text === this.#caps) return
    this.#caps = text
    this.#see({ type: 'caps', at: performance.now(), ...caps })
  }

  #setRoutes(campaigns: readonly CampaignRow[]): void {
    const routes = campaigns.map((campaign) => {
      const { id, streams, route, trunk_id: own } = campaign
      const steps: readonly Pick<RouteStep, 'trunkId' | 'operators'>[] =
        route && route.length > 0 ? route : [{ trunkId: own }]
      const trunks = steps.map(({ trunkId, operators }): Served => {
        const shows = this.#shows.get(trunkId) ?? []
        return { trunkId, operators: (streams && operators) ?? null, ...(shows.length > 0 ? { shows } : {}) }
      })
      return { campaignId: id, trunks, clis: clisOf(campaign).map((cli) => ({ id: cli.id, number: cli.number })) }
    })
    const text = JSON.stringify(routes)
    if (text === this.#routes) return
    this.#routes = text
    this.#see({ type: 'routes', at: performance.now(), routes })
  }

  began({ attempt, plan }: Call, now: Date): void {
    const hours = this.#hours.get(plan.campaignId)
    if (!hours) return
    this.#see({
      type: 'began',
      at: performance.now(),
      now: now.getTime(),
      dialerId: this.#dialerId,
      attemptId: attempt.id,
      campaignId: plan.campaignId,
      rowNo: attempt.rowNo,
      phone: attempt.number,
      attemptNo: attempt.attemptNo,
      retries: plan.attemptsMax - 1,
      trunkId: attempt.cli.trunkId,
      tried: attempt.tried,
      operator: attempt.stream,
      cliId: attempt.cli.id,
      hours,
    })
  }

  leg(type: 'legBegan' | 'legEnded', { attempt }: Call): void {
    this.#see({ type, at: performance.now(), attemptId: attempt.id, trunkId: attempt.cli.trunkId })
  }

  hungUp({ attempt }: Call): void {
    this.#see({ type: 'hungUp', at: performance.now(), attemptId: attempt.id })
  }

  ended({ attempt, plan }: Call, outcome: Ended, reservedPaisa: number): void {
    const { attemptId, campaignId, disposition, billMs, patchBillMs, retryInMs } = outcome
    const { rowNo } = attempt
    const agentFirst = plan.flow.connect !== undefined
    const what = {
      attemptId,
      campaignId,
      rowNo,
      disposition,
      billMs,
      patchBillMs,
      retryInMs,
      reservedPaisa,
      agentFirst,
    }
    this.#see({ type: 'ended', at: performance.now(), price: plan.price, ...what })
  }

  testBegan(testId: number, trunkId: number, phone: string): void {
    this.#see({ type: 'testBegan', at: performance.now(), dialerId: this.#dialerId, testId, trunkId, phone })
  }

  /** Its channel is free, and its number soon is. */
  testEnded(testId: number): void {
    this.#see({ type: 'testEnded', at: performance.now(), testId })
  }

  retried(campaignId: number): void {
    this.#see({ type: 'retried', at: performance.now(), campaignId })
  }

  over(campaignId: number, attempts: number | null): void {
    this.#see({ type: 'over', at: performance.now(), campaignId, attempts })
  }

  #see(event: CheckedEvent): void {
    for (const violation of this.#checker.see(event)) {
      this.#log.error(violation, 'an invariant does not hold')
      const { rule, subject, detail } = violation
      raiseAlert(this.#db, `judge: ${rule}`, subject, detail).catch((error: unknown) =>
        this.#log.error({ error }, 'an alert could not be written'),
      )
    }
  }
}

/** The contracts of these trunks. One dialer may at most use all of a contract. */
function contractsOf(trunks: readonly TrunkRow[]): { contract: ContractRow; trunkIds: number[] }[] {
  const byId = Map.groupBy(trunks, ({ contract }) => contract?.id)
  return [...byId.values()].flatMap((own) => {
    const contract = own[0]?.contract
    return contract ? [{ contract, trunkIds: own.map(({ id }) => id) }] : []
  })
}
