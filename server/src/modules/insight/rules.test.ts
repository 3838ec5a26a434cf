import { expect, test } from 'vitest'
import { batchesOf } from './rules.ts'

const of = (...rows: number[]) => rows.map((n, id) => ({ id, rows: n }))

test.each([
  { why: 'none have no batch', campaigns: of(), batches: [] },
  { why: 'small ones are compared together, up to the limit', campaigns: of(4, 6, 1), batches: [[0, 1], [2]] },
  {
    why: 'one beyond the limit is compared alone and keeps out no other',
    campaigns: of(50, 3, 3),
    batches: [[0], [1, 2]],
  },
  { why: 'many without a call are two hundred at once', campaigns: of(...Array(201).fill(0)), batches: [200, 1] },
])('$why', ({ campaigns, batches }) => {
  const found = batchesOf(campaigns, 10)
  expect(campaigns.length > 200 ? found.map(({ length }) => length) : found).toEqual(batches)
})
