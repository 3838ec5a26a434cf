import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { decidePlacement, type DialerNow, type EngineNow } from './decide.ts'

const engine = (key: number, more: Partial<EngineNow> = {}): EngineNow => ({
  key,
  weight: 1,
  drivers: ['asterisk'],
  settled: true,
  leaving: false,
  wants: null,
  ...more,
})
const dialer = (id: number, holder: number | null, more: Partial<DialerNow> = {}): DialerNow => ({
  id,
  driver: 'asterisk',
  holder,
  free: holder === null,
  freeMs: 0,
  next: null,
  ...more,
})
const none = new Set<number>()
const nothing = { take: [], wants: null, handOver: [] }

test('an engine alone takes every dialer of its drivers that is free, and none of another driver', () => {
  const dialers = [dialer(1, null), dialer(2, null, { driver: 'simulator' }), dialer(3, 9)]
  expect(decidePlacement(1, [engine(1)], dialers, none)).toEqual({ ...nothing, take: [1] })
})

test('an engine that has just come asks for nothing; once it is settled it asks for one dialer, and the holder hands that over', () => {
  const dialers = [1, 2, 3, 4].map((id) => dialer(id, 1))
  const mine = new Set([1, 2, 3, 4])
  const fresh = [engine(1), engine(2, { settled: false })]
  expect(decidePlacement(2, fresh, dialers, none)).toEqual(nothing)
  const both = [engine(1), engine(2)]
  const { wants } = decidePlacement(2, both, dialers, none)
  expect(wants).not.toBeNull()
  expect(decidePlacement(1, both, dialers, mine)).toEqual(nothing)
  const asked = [engine(1), engine(2, { wants })]
  expect(decidePlacement(1, asked, dialers, mine)).toEqual({ ...nothing, handOver: [{ dialerId: wants, to: 2 }] })
  expect(decidePlacement(2, asked, dialers, none).wants, 'it goes on asking for the same').toBe(wants)
})

test('what an engine asks for and should not have is not handed over', () => {
  const dialers = [dialer(1, 1), dialer(2, 2)]
  const greedy = [engine(1), engine(2, { wants: 1 })]
  expect(decidePlacement(1, greedy, dialers, new Set([1]))).toEqual(nothing)
})

test('a dialer that was released for an engine is taken by that engine at once, and by others only when it does not take it', () => {
  const released = [dialer(1, null, { next: 2 }), dialer(2, 1)]
  const both = [engine(1), engine(2)]
  expect(decidePlacement(2, both, released, none).take).toEqual([1])
  expect(decidePlacement(1, both, released, new Set([2])).take).toEqual([])
  const left = [dialer(1, null, { next: 2, freeMs: 3000 }), dialer(2, 1)]
  expect(decidePlacement(1, both, left, new Set([2])).take).toEqual([1])
  expect(decidePlacement(1, [engine(1)], released, new Set([2])).take, 'an engine that died takes nothing').toEqual([1])
})

test('an engine that ends hands everything over to those who stay, takes nothing, and keeps what nobody else can have', () => {
  const dialers = [dialer(1, 1), dialer(2, 1), dialer(3, 2), dialer(4, 1, { driver: 'simulator' }), dialer(5, null)]
  const all = [engine(1, { leaving: true, drivers: ['asterisk', 'simulator'] }), engine(2), engine(3)]
  const { take, wants, handOver } = decidePlacement(1, all, dialers, new Set([1, 2, 4]))
  expect({ take, wants }).toEqual({ take: [], wants: null })
  expect(handOver.map(({ dialerId }) => dialerId)).toEqual([1, 2])
  expect(new Set(handOver.map(({ to }) => to)).has(3)).toBe(true)
})

test('dialers of an engine of an earlier version, which says nothing of itself, stay with it and count for nobody', () => {
  const dialers = [dialer(1, 77), dialer(2, 77), dialer(3, 1), dialer(4, 1)]
  const both = [engine(1), engine(2)]
  expect(decidePlacement(2, both, dialers, none)).toMatchObject({ take: [] })
  expect([3, 4]).toContain(decidePlacement(2, both, dialers, none).wants)
})

test('an engine whose own word was lost with a crash of the database does nothing until it has said it again', () => {
  expect(decidePlacement(1, [engine(2)], [dialer(1, null), dialer(2, 1)], new Set([2]))).toEqual(nothing)
})

/** Engines and leases, where engines act one after the other, each on what it saw some steps ago. */
type Cluster = { engines: Map<number, EngineNow>; leases: Map<number, { holder: number | null; next: number | null }> }

function act(cluster: Cluster, me: number, seen: Cluster): number {
  const dialers = [...seen.leases].map(([id, { holder, next }]) => dialer(id, holder, { next, freeMs: 0 }))
  const mine = new Set([...cluster.leases].flatMap(([id, { holder }]) => (holder === me ? [id] : [])))
  const { take, wants, handOver } = decidePlacement(me, [...seen.engines.values()], dialers, mine)
  const own = cluster.engines.get(me)
  if (!own) return 0
  let moves = 0
  for (const id of take)
    if (cluster.leases.get(id)?.holder === null) {
      cluster.leases.set(id, { holder: me, next: null })
      moves += 1
    }
  for (const { dialerId, to } of handOver.slice(0, own.leaving ? undefined : 1))
    cluster.leases.set(dialerId, { holder: null, next: to })
  cluster.engines.set(me, { ...own, wants })
  return moves
}

const copyOf = ({ engines, leases }: Cluster): Cluster => ({ engines: new Map(engines), leases: new Map(leases) })

const events = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ do: fc.constant('act' as const), who: fc.nat(), late: fc.nat(3) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('come' as const), weight: fc.integer({ min: 1, max: 4 }) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('leave' as const, 'die' as const), who: fc.nat() }) },
  ),
  { maxLength: 80 },
)

test('whatever engines come, go and die, and however late each sees it: in the end every dialer has an engine, none wanders, and nothing is taken from its holder', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 25 }), events, (n, all) => {
      const cluster: Cluster = { engines: new Map([[1, engine(1)]]), leases: new Map() }
      for (let id = 1; id <= n; id++) cluster.leases.set(id, { holder: null, next: null })
      const past = [copyOf(cluster)]
      let keys = 1
      const pick = (who: number): number => [...cluster.engines.keys()][who % cluster.engines.size] ?? 0
      const die = (key: number): void => {
        if (cluster.engines.size === 1) return
        cluster.engines.delete(key)
        for (const [id, { holder, next }] of cluster.leases)
          if (holder === key) cluster.leases.set(id, { holder: null, next })
      }
      for (const event of all) {
        if (event.do === 'come') cluster.engines.set(++keys, engine(keys, { weight: event.weight }))
        else if (event.do === 'die') die(pick(event.who))
        else if (event.do === 'leave') {
          const key = pick(event.who)
          const own = cluster.engines.get(key)
          if (own && [...cluster.engines.values()].filter((one) => !one.leaving).length > 1)
            cluster.engines.set(key, { ...own, leaving: true, wants: null })
        } else act(cluster, pick(event.who), past.at(-1 - ('late' in event ? event.late : 0)) ?? cluster)
        past.push(copyOf(cluster))
      }
      const round = (): number =>
        [...cluster.engines.keys()].reduce((moves, me) => moves + act(cluster, me, cluster), 0)
      for (let i = 0; i < 4 * n + 10; i++) round()
      const staying = [...cluster.engines.values()].filter((one) => !one.leaving)
      const weights = staying.reduce((sum, { weight }) => sum + weight, 0)
      for (const { key, weight } of staying) {
        const has = [...cluster.leases.values()].filter(({ holder }) => holder === key).length
        expect(Math.abs(has - (n * weight) / weights)).toBeLessThan(1)
      }
      expect(Array.from({ length: 10 }, round).reduce((sum, moves) => sum + moves, 0)).toBe(0)
      expect([...cluster.engines.values()].every((one) => one.wants === null)).toBe(true)
    }),
    { numRuns: 300 },
  )
})
