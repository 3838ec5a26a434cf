import { showing } from '@ghanti/contract/shown-clis.ts'

/**
 * A trunk of a campaign, whose numbers go over it, by the codes of operators (null: those of all), and which caller IDs may be shown over it, as the trunk
 * lists them. Left out: all.
 */
export type Served = { trunkId: number; operators: readonly number[] | null; shows?: readonly string[] }

/** `clis`: what its calls may show, in national digits. */
export type CampaignRoute = {
  campaignId: number
  trunks: readonly Served[]
  clis: readonly { id: number; number: string }[]
}

/** `operator`: of its number, by code. */
type Taken = { campaignId: number; trunkId: number; cliId: number; operator: number; at: number }

type Ways = {
  trunks: readonly (Omit<Served, 'shows'> & { mayShow: (number: string) => boolean })[]
  clis: ReadonlyMap<number, string>
}
/** A campaign's trunks and caller IDs. Until `until` its calls may also take those that it had before. */
type Route = { written: string; now: Ways; before: readonly Ways[]; until: number }

/** A call that was claimed before its route changed still begins within this time. */
const claimedMs = 5000

/** The trunks and caller IDs that calls of campaigns may take, for the invariant checker. */
export class CampaignRoutes {
  readonly #routes = new Map<number, Route>()

  set({ at, routes }: { at: number; routes: readonly CampaignRoute[] }): void {
    for (const { campaignId, trunks, clis } of routes) {
      const known = this.#routes.get(campaignId)
      const written = JSON.stringify([trunks, clis])
      if (known?.written === written) continue
      const before = known ? waysAt(known, at) : []
      const now = {
        trunks: trunks.map(({ shows = [], ...trunk }) => ({ ...trunk, mayShow: showing(shows) })),
        clis: new Map(clis.map(({ id, number }) => [id, number])),
      }
      this.#routes.set(campaignId, { written, now, before, until: at + claimedMs })
    }
  }

  forget(campaignId: number): void {
    this.#routes.delete(campaignId)
  }

  /**
   * A campaign's calls go over its own trunks and show its own caller IDs. A trunk that names operators takes the numbers of these alone, and shows what it
   * may show. Null: so it is, or the campaign's are not known.
   */
  wrongWay({ campaignId, trunkId, cliId, operator, at }: Taken): { rule: 'route' | 'operator'; detail: string } | null {
    const route = this.#routes.get(campaignId)
    if (!route) return null
    const ways = waysAt(route, at)
    const served = ways.flatMap(({ trunks }) => trunks.filter((one) => one.trunkId === trunkId))
    if (served.length === 0) return { rule: 'route', detail: `trunk ${trunkId} is not one of its campaign` }
    if (!served.some(({ operators }) => !operators || operators.includes(operator)))
      return {
        rule: 'operator',
        detail: `a number of operator ${operator} goes over trunk ${trunkId}, which names others`,
      }
    const cli = ways.map(({ clis }) => clis.get(cliId)).find((number) => number !== undefined)
    if (cli === undefined) return { rule: 'route', detail: `caller ID ${cliId} is not one of its campaign` }
    if (served.some(({ mayShow }) => mayShow(cli))) return null
    return { rule: 'route', detail: `trunk ${trunkId} may not show caller ID ${cliId}` }
  }
}

const waysAt = ({ now, before, until }: Route, at: number): readonly Ways[] => (at < until ? [now, ...before] : [now])
