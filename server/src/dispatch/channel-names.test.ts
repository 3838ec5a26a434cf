import { expect, test } from 'vitest'
import {
  agentChannel,
  customerChannelSql,
  customerOf,
  detourChannel,
  legOf,
  testChannel,
  testOf,
} from './channel-names.ts'
import { engineDb } from '../voice/testing/db.ts'

const at = await engineDb(1)
const prefix = 'abc123-'

/** As the claim and the takeover make them. */
async function customers(ids: number[], epochs: number[], tried: number[] | null = null): Promise<string[]> {
  const { rows } = await at.pool.query<{ name: string }>(
    `select ${customerChannelSql('o.epoch', '$3::int[]')} as name from (select 'abc123' as id) i, unnest($1::int[]) o_id, unnest($2::int[]) o_epoch,
      lateral (select o_id as id, o_epoch as epoch) o`,
    [ids, epochs, tried],
  )
  return rows.map(({ name }) => name)
}

test('no channel’s name is the beginning of another’s, but a customer’s of the agents’ that come later', async () => {
  const few = [1, 2, 10, 11, 12, 110, 111, 1100]
  const atFirst = await customers(few, [1, 11])
  const people = [...atFirst, ...atFirst.flatMap((name) => few.map((tried) => detourChannel(name, tried)))]
  const agents = people.flatMap((name) =>
    [1, 11].flatMap((epoch) =>
      few.flatMap((step) => [0, 1, 11].map((tried) => agentChannel(name, epoch, step, tried))),
    ),
  )
  const tests = few.flatMap((id) =>
    [1, 11].flatMap((epoch) => [0, 1, 11].map((tried) => testChannel(prefix, epoch, id, tried))),
  )
  const all = [...people, ...agents, ...tests].toSorted()
  const clashes = all.filter((name, n) => all[n + 1]?.startsWith(name))
  expect(new Set(clashes)).toEqual(new Set(people))
  expect(new Set(all).size).toBe(all.length)
})

test('the channel over another trunk has a name of its own, the same for who dials it and for who finds the attempt open', async () => {
  const [first = ''] = await customers([125], [3])
  const [second, third] = [await customers([125], [3], [7]), await customers([125], [3], [7, 8])]
  expect([...second, ...third]).toEqual(['abc123-3-125-d1-c', 'abc123-3-125-d2-c'])
  expect([detourChannel(first, 1), detourChannel(detourChannel(first, 1), 2)]).toEqual([...second, ...third])
  expect(legOf(prefix, detourChannel(first, 2))).toEqual({ attemptId: 125, tried: 2, isAgent: false })
  expect(customerOf(agentChannel(detourChannel(first, 2), 4, 2))).toBe('abc123-3-125-d2-c')
})

test('a name tells whose leg it is', async () => {
  const [name = ''] = await customers([125], [3])
  expect(name).toBe('abc123-3-125-c')
  expect(legOf(prefix, name)).toEqual({ attemptId: 125, tried: 0, isAgent: false })
  expect(legOf(prefix, agentChannel(name, 4, 2))).toEqual({ attemptId: 125, tried: 0, isAgent: true })
  expect(customerOf(agentChannel(name, 4, 2))).toBe(name)
  expect(customerOf(agentChannel(detourChannel(name, 1), 4, 2, 1))).toBe('abc123-3-125-d1-c')
  expect(legOf(prefix, agentChannel(name, 4, 2, 1))).toEqual({ attemptId: 125, tried: 0, isAgent: true })
  expect(customerOf(name)).toBeNull()
  for (const tried of [0, 1]) expect(testOf(prefix, testChannel(prefix, 3, 125, tried))).toBe(125)
  for (const other of ['xyz999-3-125-c', testChannel(prefix, 3, 125), 'abc123-owner', 'abc123-3-125'])
    expect(legOf(prefix, other)).toBeNull()
})
