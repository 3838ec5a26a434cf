import { overviewTrunksMax, type PlatformOverview } from '@ghanti/contract/overview.ts'

type Trunk = PlatformOverview['trunks'][number]

/** The share of a trunk's channels in use, from 0 to 1. */
const useOf = ({ now, channels }: Trunk) => (now ? now.channelsUsed / Math.max(1, channels) : 0)
const urgencyOf = ({ now }: Trunk) => (now?.held ? 2 : now && now.reachable === false ? 1 : 0)

export function trunksShown(trunks: readonly Trunk[]): Pick<PlatformOverview, 'trunks' | 'trunksLeftOut' | 'totals'> {
  const sum = (of: (trunk: Trunk) => number) => trunks.reduce((all, trunk) => all + of(trunk), 0)
  const shown = trunks
    .toSorted((a, b) => urgencyOf(b) - urgencyOf(a) || useOf(b) - useOf(a) || a.trunkName.localeCompare(b.trunkName))
    .slice(0, overviewTrunksMax)
  return {
    trunks: shown,
    trunksLeftOut: trunks.length - shown.length,
    totals: {
      callsPerSecond: sum(({ now }) => now?.callsPerSecond ?? 0),
      cps: sum(({ cps }) => cps),
      channelsUsed: sum(({ now }) => now?.channelsUsed ?? 0),
      channels: sum(({ channels }) => channels),
    },
  }
}
