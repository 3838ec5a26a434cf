import { expect, test, vi } from 'vitest'
import { FairSemaphore } from './fair-semaphore.ts'

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

function works() {
  const began: string[] = []
  const ends: (() => void)[] = []
  const begin = (name: string) => () => {
    began.push(name)
    return new Promise<void>((resolve) => ends.push(resolve))
  }
  /** Ends the work that started first, so that the next can start. */
  const endOne = async () => {
    ends.shift()?.()
    for (let i = 0; i < 10; i++) await Promise.resolve()
  }
  return { began, begin, endOne }
}

test('so many run at once, the others wait in their order', async () => {
  const { began, begin, endOne } = works()
  const turns = new FairSemaphore(2)
  const all = ['a', 'b', 'c', 'd'].map((name) => turns.run(begin(name)))
  expect(began).toEqual(['a', 'b'])
  await endOne()
  expect(began).toEqual(['a', 'b', 'c'])
  for (let i = 0; i < 3; i++) await endOne()
  await Promise.all(all)
  expect(began).toEqual(['a', 'b', 'c', 'd'])
})

test('whoever has one thing waiting comes after one thing of whoever has many, not after all of them', async () => {
  const { began, begin, endOne } = works()
  const turns = new FairSemaphore(1)
  const all = [
    ...Array.from({ length: 20 }, (_, i) => turns.run(begin(`hostile ${i}`), 1)),
    turns.run(begin('second'), 2),
    turns.run(begin('third'), 3),
    turns.run(begin('second again'), 2),
  ]
  for (let i = 0; i < all.length; i++) await endOne()
  await Promise.all(all)
  expect(began.slice(0, 8)).toEqual([
    'hostile 0',
    'hostile 1',
    'second',
    'third',
    'hostile 2',
    'second again',
    'hostile 3',
    'hostile 4',
  ])
  expect(began).toHaveLength(23)
})

test('with a limit of each, the places left are for the others', async () => {
  const { began, begin, endOne } = works()
  const turns = new FairSemaphore(2, { ofEach: 1 })
  const all = [
    ...['hostile 0', 'hostile 1', 'hostile 2'].map((name) => turns.run(begin(name), 1)),
    turns.run(begin('second'), 2),
    turns.run(begin('third'), 3),
  ]
  expect(began, 'a place is free for whoever comes').toEqual(['hostile 0', 'second'])
  for (let i = 0; i < all.length; i++) await endOne()
  await Promise.all(all)
  expect(began).toEqual(['hostile 0', 'second', 'hostile 1', 'third', 'hostile 2'])
})

test('work that fails gives its place to the next', async () => {
  const turns = new FairSemaphore(1)
  const failed = turns.run(() => Promise.reject(new Error('no')), 1)
  const next = turns.run(() => Promise.resolve('yes'), 2)
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
})

test('more of one owner than may wait is turned away at once, the others wait, and there is room again afterwards', async () => {
  const { begin, endOne } = works()
  const turns = new FairSemaphore(1, { waitingOfEach: 2 })
  const taken = ['a', 'b', 'c'].map((name) => turns.run(begin(name), 1))
  await expect(turns.run(begin('d'), 1)).rejects.toMatchObject({ code: 'not_ready', retryAfterSeconds: 2 })
  taken.push(turns.run(begin('other'), 2))
  for (let i = 0; i < 4; i++) await endOne()
  await Promise.all(taken)
  const later = turns.run(begin('e'), 1)
  await endOne()
  await later
})

const outcomes = (all: Promise<unknown>[]) =>
  Promise.all(
    all.map((one) =>
      one.then(
        () => 'done',
        () => 'refused',
      ),
    ),
  )

test('when all places to wait are taken, whoever has the most gives up the newest for somebody who has none', async () => {
  const { began, begin, endOne } = works()
  const turns = new FairSemaphore(1, { waitingMax: 4 })
  const run = (name: string, whose: number) => turns.run(begin(name), whose)
  const all = outcomes([
    ...['h0', 'h1', 'h2', 'h3'].map((name) => run(name, 1)),
    ...['b1', 'c1', 'd1'].map((name, n) => run(name, n + 2)),
    run('h4', 1),
  ])
  for (let i = 0; i < 8; i++) await endOne()
  expect(await all).toEqual(['done', 'done', 'refused', 'refused', 'done', 'done', 'done', 'refused'])
  expect(began).toEqual(['h0', 'h1', 'b1', 'c1', 'd1'])
})

test('a thousand addresses of one group, and a thousand names at one address, have one turn among the others', async () => {
  const { began, begin, endOne } = works()
  const turns = new FairSemaphore(2, { ofEach: 1, waitingMax: 1000 })
  const run = (...path: string[]) => turns.run(begin(path[0] ?? ''), path)
  const flood = outcomes([
    ...Array.from({ length: 1000 }, (_, n) => run('a /48', `address ${n}`, 'any name')),
    ...Array.from({ length: 1000 }, (_, n) => run('a /24', 'one address', `name ${n}`)),
  ])
  const others = ['home', 'office', 'town'].map((name) => run(name, name, name))
  for (let i = 0; i < 8; i++) await endOne()
  await Promise.all(others)
  expect(began.length).toBeLessThan(12)
  for (let i = 0; i < 2000; i++) await endOne()
  expect((await flood).filter((outcome) => outcome === 'refused').length).toBeGreaterThanOrEqual(1000)
})

test('a name that stands in the paths of many is limited over all of them', async () => {
  const { began, begin, endOne } = works()
  const turns = new FairSemaphore(2, { ofEach: 1 })
  const all = [
    ...Array.from({ length: 5 }, (_, n) => turns.run(begin('flooded'), [`network ${n}`, 'flooded'])),
    turns.run(begin('other'), ['network 9', 'other']),
  ]
  expect(began).toEqual(['flooded', 'other'])
  for (let i = 0; i < all.length; i++) await endOne()
  await Promise.all(all)
})

test('whoever worked much rests as long as it works, also with nobody else there; what others ask for begins meanwhile', async () => {
  vi.useFakeTimers()
  try {
    const turns = new FairSemaphore(12, { ofEach: 4, workMsMax: 1000 })
    const done: string[] = []
    const work = (name: string) => turns.run(() => sleep(100).then(() => void done.push(name)), name)
    const flood = Array.from({ length: 100 }, () => work('hostile'))
    await vi.advanceTimersByTimeAsync(1000)
    expect(done.length, 'at four places until the limit, by half of one then').toBeLessThan(16)
    done.length = 0
    await vi.advanceTimersByTimeAsync(4000)
    expect(done.length).toBeGreaterThanOrEqual(16)
    expect(done.length).toBeLessThanOrEqual(24)
    done.length = 0
    const other = work('other')
    await vi.advanceTimersByTimeAsync(100)
    expect(done).toContain('other')
    await other
    await vi.advanceTimersByTimeAsync(60_000)
    await Promise.all(flood)
  } finally {
    vi.useRealTimers()
  }
})

test('rest is saved up: who comes back after a while works at once again', async () => {
  vi.useFakeTimers()
  try {
    const turns = new FairSemaphore(4, { workMsMax: 1000 })
    const work = () => turns.run(() => sleep(500), 'one')
    const first = Array.from({ length: 4 }, work)
    await vi.advanceTimersByTimeAsync(500)
    await Promise.all(first)
    let began = 0
    const again = () => turns.run(async () => void (began += 1), 'one')
    const waiting = again()
    await vi.advanceTimersByTimeAsync(2900)
    expect(began, 'four half seconds count twice, less one').toBe(0)
    await vi.advanceTimersByTimeAsync(200)
    await waiting
    expect(began).toBe(1)
    await vi.advanceTimersByTimeAsync(4000)
    await Promise.all(Array.from({ length: 4 }, again))
    expect(began).toBe(5)
  } finally {
    vi.useRealTimers()
  }
})

test('whoever has a tenth of the time has ten pieces of a tenth of a second done in ten seconds', async () => {
  vi.useFakeTimers()
  try {
    const turns = new FairSemaphore(2, { ofEach: 1, workMsMax: 0, share: 1 / 10 })
    let done = 0
    const all = Array.from({ length: 30 }, () => turns.run(() => sleep(100).then(() => void (done += 1)), 'one'))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(done).toBe(10)
    await vi.advanceTimersByTimeAsync(30_000)
    await Promise.all(all)
  } finally {
    vi.useRealTimers()
  }
})

test('nobody rests for long, however long the database stood still', async () => {
  vi.useFakeTimers()
  try {
    const turns = new FairSemaphore(12, { ofEach: 4, workMsMax: 10_000 })
    let began = false
    const stalled = Array.from({ length: 4 }, () => turns.run(() => sleep(30_000), 'one'))
    await vi.advanceTimersByTimeAsync(30_000)
    await Promise.all(stalled)
    const next = turns.run(async () => void (began = true), 'one')
    await vi.advanceTimersByTimeAsync(5001)
    expect(began).toBe(true)
    await next
  } finally {
    vi.useRealTimers()
  }
})

test('who waits for a rest that ends while it is looked at begins', async () => {
  vi.useFakeTimers()
  const clock = vi.spyOn(performance, 'now')
  try {
    let now = 0
    clock.mockImplementation(() => (now += 0.001)) // each look takes a microsecond
    const turns = new FairSemaphore(1, { workMsMax: 100 })
    await turns.run(async () => void (now += 100), 'one')
    const left = 200 - 100
    for (let n = 0; n < 20; n += 1) {
      now = 100 + left - 0.01 + n * 0.001
      let began = false
      const waiting = turns.run(async () => void (began = true), 'one')
      now += 1
      await vi.advanceTimersByTimeAsync(10)
      await waiting
      expect(began).toBe(true)
    }
  } finally {
    clock.mockRestore()
    vi.useRealTimers()
  }
})
