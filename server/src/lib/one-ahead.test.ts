import { expect, test } from 'vitest'
import { oneAhead } from './one-ahead.ts'

/** Yields 1, 2, 3, … and records how many were requested; throws at `failsAt`. */
function source(count: number, failsAt = Infinity) {
  const seen = { read: 0, ended: false }
  async function* pieces(): AsyncGenerator<number, void, void> {
    try {
      for (let n = 1; n <= count; n++) {
        seen.read = n
        await Promise.resolve()
        if (n === failsAt) throw new Error(`piece ${n} is broken`)
        yield n
      }
    } finally {
      seen.ended = true
    }
  }
  return { seen, pieces: pieces() }
}

test('pieces are the same in the same order, and one more than was taken is read, not two', async () => {
  const { seen, pieces } = source(5)
  const got: [piece: number, read: number][] = []
  for await (const piece of oneAhead(pieces)) {
    await new Promise((resolve) => void setTimeout(resolve, 5))
    got.push([piece, seen.read])
  }
  expect(got).toEqual([
    [1, 2],
    [2, 3],
    [3, 4],
    [4, 5],
    [5, 5],
  ])
  expect(seen.ended).toBe(true)
})

test('nothing at all is nothing', async () => {
  expect(await Array.fromAsync(oneAhead(source(0).pieces))).toEqual([])
})

test('a piece that fails does so after those before it', async () => {
  const { pieces } = source(5, 3)
  const got: number[] = []
  const all = (async () => {
    for await (const piece of oneAhead(pieces)) {
      await new Promise((resolve) => void setTimeout(resolve, 5)) // its failure is there already
      got.push(piece)
    }
  })()
  await expect(all).rejects.toThrow('piece 3 is broken')
  expect(got).toEqual([1, 2])
})

test('who stops early ends the source, also when the piece ahead fails', async () => {
  for (const { seen, pieces } of [source(5), source(5, 2)]) {
    for await (const piece of oneAhead(pieces)) if (piece === 1) break
    expect([seen.read, seen.ended]).toEqual([2, true])
  }
})
