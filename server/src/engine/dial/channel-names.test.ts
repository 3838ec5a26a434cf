import { expect, test } from 'vitest'
import { agentChannel, customerChannelSql, customerOf, legOf, testChannel } from './channel-names.ts'
import { engineDb } from '../testing/db.ts'

const at = await engineDb(1)
const prefix = 'abc123-'

/** As the claim and the takeover make them. */
async function customers(ids: number[], epochs: number[]): Promise<string[]> {
  const { rows } = await at.pool.query<{ name: string }>(
    `select ${customerChannelSql('o.epoch')} as name from (select 'abc123' as id) i, unnest($1::int[]) o_id, unnest($2::int[]) o_epoch,
      lateral (select o_id as id, o_epoch as epoch) o`,
    [ids, epochs],
  )
  return rows.map(({ name }) => name)
}

test('no channel’s name is the beginning of another’s, but a customer’s of the agents’ that come later', async () => {
  const few = [1, 2, 10, 11, 12, 110, 111, 1100]
  const people = await customers(few, [1, 11])
  const agents = people.flatMap((name) =>
    [1, 11].flatMap((epoch) => few.map((step) => agentChannel(name, epoch, step))),
  )
  const tests = few.flatMap((id) => [testChannel(prefix, 1, id), testChannel(prefix, 11, id)])
  const all = [...people, ...agents, ...tests].toSorted()
  const clashes = all.filter((name, n) => all[n + 1]?.startsWith(name))
  expect(new Set(clashes)).toEqual(new Set(people))
  for (const name of agents) expect(all.filter((other) => other.startsWith(name))).toEqual([name])
})

test('a name tells whose leg it is', async () => {
  const [name = ''] = await customers([125], [3])
  expect(name).toBe('abc123-3-125-c')
  expect(legOf(prefix, name)).toEqual({ attemptId: 125, isAgent: false })
  expect(legOf(prefix, agentChannel(name, 4, 2))).toEqual({ attemptId: 125, isAgent: true })
  expect(customerOf(agentChannel(name, 4, 2))).toBe(name)
  expect(customerOf(name)).toBeNull()
  for (const other of ['xyz999-3-125-c', testChannel(prefix, 3, 125), 'abc123-owner', 'abc123-3-125'])
    expect(legOf(prefix, other)).toBeNull()
})
