/**
 * How fast the console is for people: `npm run bench:console`. A server with the demo's data in its own process, and a headless Chromium with an
 * empty cache for every load. Networks and processors: `profiles` in console/page.ts. The numeric argument is how often each page is loaded (usually
 * 5). Prints medians, and for interactions the worst of three. Aims: the largest contentful paint within 1 s on a desktop and 2 s on a phone, an
 * answer to every input within 150 ms, layout shifts below 0.02, and nothing white for more than 2 s on slow 3G. It ends within eight minutes: on a slow
 * machine pages are loaded less often, and what was left out for want of time is said. Words after the number choose the
 * pages and interactions whose names have one of them: `npm run bench:console -- 3 colours palette`.
 */
import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { composeRoutes } from '@ghanti/contract/compose.ts'
import { lineRoutes } from '@ghanti/contract/lines.ts'
import { promptRoutes } from '@ghanti/contract/prompts.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { chromium, type Browser, type Page } from 'playwright-core'
import { browserOptions } from '../scripts/chromium.ts'
import { signInOver } from '../server/src/testing/wire.ts'
import { startServer } from '../web/e2e/server.ts'
import { costOfBursts, load, nameArguments, sizeOf, sizeArguments, smallest } from './bench.ts'
import { interactions, openForInput, slowestOf } from './console/interactions.ts'
import { loadOnce, profiles, type Load, type Profile, type Visit } from './console/page.ts'

const username = 'user'
const password = 'ghanti-demo'
const loads = sizeOf(5, 1, sizeArguments)
const isAsked = ({ name }: { name: string }) =>
  nameArguments.length === 0 || nameArguments.some((word) => name.includes(word))
const rounds = smallest ? 1 : 3
const campaigns = smallest ? 3 : 50
/** At the smallest size one page, and neither a slow processor nor a slow network, because only the bench itself is tested. */
const asMeasured = (profile: Profile): Profile =>
  smallest ? { ...profile, cpuSlower: 1, network: profiles.desktop.network } : profile
/** Parts that load once the page is idle come within it. */
const idleMs = smallest ? 500 : 4000
const began = performance.now()
const minutesLeft = (until: number) => until - (performance.now() - began) / 60_000
/** Until when interactions begin, until when loads go on at the full number, and until when at one each, in minutes. */
const ends = { interactions: 2.5, loads: 5.5, lastLoads: 7 }
const leftOut: string[] = []
const aims = { desktop: 1000, phone: 2000, inp: 150, cls: 0.02, white: 2000 }

type Target = Omit<Visit, 'address'> & { name: string; hasAim?: true }

const signIn = async (page: Page): Promise<void> => {
  await page.context().request.post('/api/obd/login', { data: { username, password } })
}
const targets: readonly Target[] = [
  { name: 'login', path: '/', content: 'input[name=username]', hasAim: true },
  { name: 'summary', path: '/voice-campaign-summary', content: 'tbody tr[data-row]', signIn, hasAim: true },
  { name: 'compose', path: '/add-voice-campaign', content: 'input[name=campaignName]', signIn, hasAim: true },
  { name: 'dashboard', path: '/', content: 'main h1', signIn },
  { name: 'campaign', path: '/voice-campaign-summary/1', content: 'main dl', signIn },
  { name: 'call report', path: '/report', content: 'main tbody', signIn },
]

console.log(`load before ${load()}, ${loads} loads of each page`)
console.log(`work in short bursts takes ${(await costOfBursts()).toFixed(1)} times the CPU that it takes at one go`)
const server = await startServer()
const browser = await chromium.launch(browserOptions())
try {
  await fill()
  const missed = [...(await printInteractions(browser)), ...(await printLoads(browser))]
  console.log(missed.length === 0 ? 'every aim is met' : `not within the aims: ${missed.join(', ')}`)
  if (leftOut.length > 0) console.log(`not measured, for want of time: ${leftOut.join(', ')}`)
  console.log(`load after ${load()}`)
} finally {
  await browser.close()
  await server.stop()
}

/** Campaigns that wait until tomorrow, so that nothing changes while pages are measured. */
async function fill(): Promise<void> {
  const api = await signInOver(server.address, username, password)
  const [line] = await api.ask(lineRoutes.clisOfUser, { userId: api.userId })
  const asked = { userId: api.userId, promptCategory: 'welcome', promptStatus: '1' }
  const [welcome] = await api.ask(promptRoutes.list, asked)
  const { baseId } = await api.ask(contactRoutes.paste, { contactList: '9841000001\n9841000011' })
  const scheduleTime = nepalTimeOf(new Date(Date.now() + 24 * 3600_000))
  const campaign = { templateId: 0, cli: line?.cli, baseId, welcomePId: welcome?.promptId, scheduleTime }
  for (let n = 1; n <= campaigns; n += 1)
    await api.ask(composeRoutes.compose, { ...campaign, campaignName: `Bench ${n}` })
}

async function printLoads(browser: Browser): Promise<string[]> {
  const missed: string[] = []
  for (const [kind, measured] of Object.entries(profiles) as [keyof typeof profiles, Profile][]) {
    const profile = asMeasured(measured)
    const asked = targets.filter((target) => isAsked(target) && (!smallest || target.name === 'compose'))
    if (asked.length === 0) continue
    console.log(`\n${about(profile)}`)
    for (const target of asked) {
      if (minutesLeft(ends.lastLoads) < 0) {
        leftOut.push(`${target.name} (${profile.name})`)
        continue
      }
      const found: Load[] = []
      for (let n = 0; n < (minutesLeft(ends.loads) < 0 ? 1 : loads); n += 1)
        found.push(await loadOnce(browser, profile, { ...target, address: server.address }))
      const of = (figure: (load: Load) => number) => median(found.map(figure))
      const [lcp, cls, white] = [of(({ lcpMs }) => lcpMs), of(({ cls }) => cls), of(({ whiteMs }) => whiteMs ?? 0)]
      const parts = [
        `first paint ${seconds(of(({ firstPaintMs }) => firstPaintMs))}`,
        `LCP ${seconds(lcp)}`,
        `content ${seconds(of(({ contentMs }) => contentMs))}`,
        `CLS ${cls.toFixed(3)}`,
        ...(profile.watchFrames ? [`white for ${seconds(white)}`] : []),
      ]
      console.log(`${target.name.padEnd(12)}${parts.join(', ')}  [LCP: ${found[0]?.lcpOf ?? ''}]`)
      const late = kind === 'slow3G' ? white > aims.white : target.hasAim && lcp > aims[kind]
      if (late || !(cls < aims.cls)) missed.push(`${target.name} (${profile.name})`)
    }
  }
  return missed
}

async function printInteractions(browser: Browser): Promise<string[]> {
  const missed: string[] = []
  const { cpuSlower } = asMeasured(profiles.phone)
  console.log(`\nslowest event of each interaction at ${cpuSlower}x CPU (first time, worst later), desktop window`)
  const open = new Map<string, Page>()
  for (const one of interactions.filter(isAsked)) {
    if (minutesLeft(ends.interactions) < 0) {
      leftOut.push(one.name)
      continue
    }
    const page =
      open.get(one.path) ?? (await openForInput(browser, { address: server.address, signIn, cpuSlower, idleMs }, one))
    const found = await slowestOf(page, rounds, one)
    // At the smallest size one page for all of its interactions: to load it again costs more than they do.
    if (smallest) open.set(one.path, page)
    else await page.context().close()
    const [first = Number.NaN, ...later] = found
    console.log(`${one.name.padEnd(36)}INP ${first} ms, then ${later.length > 0 ? Math.max(...later) : '-'} ms`)
    if (!(Math.max(...found) <= aims.inp)) missed.push(one.name)
  }
  return missed
}

function about({ name, network, cpuSlower }: Profile): string {
  const { latencyMs, downKbps, upKbps } = network
  return `${name}: ${latencyMs} ms a request, ${downKbps} kbps down, ${upKbps} kbps up, CPU ${cpuSlower} times slower`
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}
