/** What is killed, when, and what becomes of it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { randomOf } from '../../../lib/random.ts'
import type { KillBench } from './bench.ts'
import type { KillableDialer } from './dialer.ts'

const kinds = ['engine', 'dialer', 'both', 'postgres', 'network'] as const
type Kind = (typeof kinds)[number]
/** `round`: its index among kills of its kind. It decides whether a dialer keeps its record, how long something is away, and what a network does. */
export type Kill = { kind: Kind; point: Point; nth: number; round: number }

/**
 * `often`: it happens to every call, so it may also be waited for a second and third time. `refused`: to calls of numbers that are refused.
 * `handover`: while a dialer changes hands.
 */
type Point = { what: string; often?: boolean; refused?: boolean; handover?: boolean }

const often = true
const refused = true
const handover = true
/** Over the life of a call, and while a dialer changes hands. */
const points: readonly Point[] = [
  { what: 'claim sent', often },
  { what: 'claim done', often },
  { what: 'claim_of_stream done', often },
  { what: 'claim_shared done', often },
  { what: 'claim_shared_of_stream done', often },
  { what: 'dial sent', often },
  { what: 'dial done', often },
  { what: 'ringing arrives', often },
  { what: 'detour sent', refused },
  { what: 'detour done', refused },
  { what: 'detour to a host sent', refused },
  { what: 'detour to a host done', refused },
  { what: 'detour dial sent', refused },
  { what: 'answered arrives', often },
  { what: 'answered reported', often },
  { what: 'save_steps sent', often },
  { what: 'save_steps done', often },
  { what: 'digit reported' },
  { what: 'take_agent done' },
  { what: 'agent dial sent' },
  { what: 'agent answered arrives' },
  { what: 'bridge done' },
  { what: 'agent hungUp arrives' },
  { what: 'hungUp arrives', often },
  { what: 'hungUp reported', often },
  { what: 'settle sent', often },
  { what: 'settle done', often },
  { what: 'claim of a retry done' },
  { what: 'claim_of_stream of a congested row done' },
  { what: 'release_lease sent', handover },
  { what: 'release_lease done', handover },
  { what: 'takeover done', handover },
  { what: 'open_attempts done', handover },
]

/** How many kills of each kind there are, at different points, the kinds in turns. */
export function chosenKills(each: number, seed: number): Kill[] {
  const next = randomOf(seed, 'kills')
  const ofKind = kinds.map((kind) => {
    const shuffled = points.map((point) => ({ point, at: next() })).toSorted((a, b) => a.at - b.at)
    return shuffled
      .slice(0, each)
      .map(({ point }, round) => ({ kind, point, nth: point.often ? 1 + Math.floor(3 * next()) : 1, round }))
  })
  return Array.from({ length: each }, (_, round) => ofKind.flatMap((kills) => kills[round] ?? [])).flat()
}

/** Within this time an engine that shuts down has handed its dialers over. */
const handsOverMs = 6000

/** Every third time something is away for longer than a dialer keeps its lease. */
const awayMs = ({ round }: Kill, shortMs: number, longMs: number): number => (round % 3 === 2 ? longMs : shortMs)

/** Kills at its moment what is to be killed, brings it back, and says in words what it did. `feed` sees that there are rows to call. */
export async function executeKill(
  bench: KillBench,
  kill: Kill,
  feed: (refused?: boolean) => Promise<void>,
): Promise<string> {
  const { engines } = bench
  const { point, nth } = kill
  let stoppedEngine: string | null = null
  const stopped = new Promise<string>((resolve) => engines.arm({ what: point.what, nth }, resolve))
  void stopped.then((name) => (stoppedEngine = name))
  let lastStopRequestAt = -Infinity
  const keepRunning = async (): Promise<void> => {
    await engines.restart()
    await feed(point.refused)
    if (!point.handover || performance.now() - lastStopRequestAt < handsOverMs) return
    lastStopRequestAt = performance.now()
    await askOneToStop(bench)
  }
  // It may stand still in a transaction, for which whoever feeds waits.
  let feeding: Promise<void> | null = null
  await bench.until(
    `${kill.kind} at ${point.what}`,
    () => stoppedEngine !== null,
    async () => {
      feeding ??= keepRunning().finally(() => (feeding = null))
      await Promise.race([feeding, stopped])
    },
  )
  const description = await inflict(bench, kill, await stopped)
  await feeding
  engines.disarm()
  await engines.restart()
  return `${description} at '${point.what}' ${nth}`
}

/** The engine with most dialers. One that has just been killed may seem to have them: the next try finds another. */
async function askOneToStop({ at, engines }: KillBench): Promise<void> {
  const { rows } = await at.pool.query<{ engine_id: string }>(
    'select engine_id from dialer_lease where expires_at > now() group by 1 order by count(*) desc, 1 limit 1',
  )
  if (rows[0]) engines.askToStop(rows[0].engine_id)
}

async function inflict(bench: KillBench, kill: Kill, stoppedEngine: string): Promise<string> {
  const { engines, postgres } = bench
  const { kind, round } = kill
  const withRecord = round % 2 === 0
  switch (kind) {
    case 'engine':
      await engines.kill(stoppedEngine)
      return stoppedEngine
    case 'dialer': {
      const dialer = await dialerOf(bench, stoppedEngine, round)
      await dialer.kill(withRecord)
      engines.resume(stoppedEngine)
      await sleep(awayMs(kill, 0, 5000))
      await dialer.restart()
      return `dialer ${dialer.id}${withRecord ? '' : ' and its record'}`
    }
    case 'both': {
      const dialer = await dialerOf(bench, stoppedEngine, round)
      await Promise.all([dialer.kill(!withRecord), engines.kill(stoppedEngine)])
      await sleep(awayMs(kill, 0, 5000))
      await dialer.restart()
      return `dialer ${dialer.id}${withRecord ? ' and its record' : ''}, ${stoppedEngine}`
    }
    case 'postgres':
      postgres.kill()
      engines.resume(stoppedEngine)
      await sleep(awayMs(kill, 0, 6000))
      await postgres.restart()
      return 'PostgreSQL'
    case 'network':
      return cutOff(bench, kill, stoppedEngine)
  }
}

/** In turns: a dialer's network stalls, an engine's to the database is cut, a dialer's is cut, an engine's stalls. */
async function cutOff(bench: KillBench, kill: Kill, stoppedEngine: string): Promise<string> {
  const { round } = kill
  const dialer = round % 2 === 0 ? await dialerOf(bench, stoppedEngine, round) : null
  const proxy = dialer?.proxy ?? bench.engines.proxyOf(stoppedEngine)
  const isCut = (round + (round >> 1)) % 2 === 1
  if (isCut) proxy.cut()
  else proxy.stall()
  bench.engines.resume(stoppedEngine)
  await sleep(awayMs(kill, 1200, 6500))
  proxy.mend()
  return `${dialer ? `dialer ${dialer.id}` : `${stoppedEngine} and the database`} ${isCut ? 'cut off' : 'stalled'}`
}

/** One that this engine leads. */
async function dialerOf({ at, dialers }: KillBench, engineId: string, round: number): Promise<KillableDialer> {
  const { rows } = await at.pool.query<{ dialer_id: number }>(
    'select dialer_id from dialer_lease where engine_id = $1 and expires_at > now() order by 1',
    [engineId],
  )
  const led = dialers.filter(({ id }) => rows.some(({ dialer_id }) => dialer_id === id))
  const among = led.length > 0 ? led : dialers
  const one = among[round % among.length]
  if (!one) throw new Error('there are no dialers')
  return one
}
