import { describe, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { newUser } from '../../testing/seed.ts'
import { prepareCampaign } from '../../voice/prepare/prepare.ts'
import { AccountTurns, rowsATurn, turnsToPrepare, type Turn } from './account-turns.ts'
import { newCampaign, newFixtures } from '../../voice/testing/fixtures.ts'
import { engineDb } from '../../voice/testing/db.ts'
import { prepareDeps } from '../../voice/testing/prepare.ts'

const at = await engineDb()
const fixtures = await newFixtures(at)
const deps = prepareDeps(at)
const { files } = deps
const never = new AbortController().signal

const numbers = (rows: number): string =>
  Array.from({ length: rows }, (_, n) => `98${10_000_000 + n},Sita Sharma`).join('\n')

async function composed(user: Viewer, rows: number): Promise<number> {
  const id = await newCampaign(at, { user, line: fixtures.line, phones: [], status: 'processing' })
  await at.pool.query(
    'update base b set file_hash = $2, rows = $3 from campaign_detail d where d.campaign_id = $1 and b.id = d.base_id',
    [id, await files.putBytes(Buffer.from(numbers(rows))), rows],
  )
  return id
}

describe('preparation takes accounts by turns', () => {
  test('ten rows of a customer are prepared between the pieces of another one’s long files', async () => {
    const other = await newUser(at, { parent: fixtures.reseller })
    const long = [
      await composed(fixtures.user, 5 * rowsATurn),
      await composed(fixtures.user, rowsATurn + 1),
      await composed(fixtures.user, 10),
    ]
    const few = await composed(other, 10)
    const turns = turnsToPrepare()
    const done: number[] = []
    const prepare = async (id: number) => {
      const { kind } = await prepareCampaign(deps, fixtures.lease, id, never, turns)
      done.push(id)
      return kind
    }
    const first = long.slice(0, 2).map(prepare)
    await expect
      .poll(async () => {
        const { rows } = await at.pool.query('select reason from campaign where id = $1', [long[0]])
        return rows[0]?.reason
      })
      .toMatch(/^(reading|checking|storing)/)
    expect(await Promise.all([...first, ...[few, ...long.slice(2)].map(prepare)])).toEqual(Array(4).fill('prepared'))
    expect(done.indexOf(few)).toBeLessThan(2)
    expect(done.slice(-2)).toEqual(long.slice(0, 2))
    const { rows } = await at.pool.query(
      'select count(*)::int as rows, max(no) as last, count(distinct phone)::int as numbers from campaign_contact where campaign_id = $1',
      [long[0]],
    )
    expect(rows).toEqual([{ rows: 5 * rowsATurn, last: 5 * rowsATurn - 1, numbers: 5 * rowsATurn }])
  }, 60_000)
})

describe('turns', () => {
  const order: string[] = []
  /** Work in this many pieces, each of which reports its start. */
  const pieces =
    (name: string, count: number) =>
    async (turn: Turn): Promise<void> => {
      for (let piece = 1; piece <= count; piece++) {
        order.push(`${name}${piece}`)
        await new Promise((resolve) => setImmediate(resolve))
        if (piece < count) await turn.rest()
      }
    }
  const long = 100
  const turns = () => new AccountTurns(1, { openMax: 2, shortRows: 10 })

  test('are taken piece by piece among accounts, and a short one of the same account does not wait for its long one either', async () => {
    order.length = 0
    const at = turns()
    await Promise.all([
      at.run({ accountId: 1, rows: long }, pieces('a', 4)),
      at.run({ accountId: 2, rows: long }, pieces('b', 2)),
      at.run({ accountId: 1, rows: 10 }, pieces('short', 1)),
    ])
    expect(order).toEqual(['a1', 'b1', 'short1', 'b2', 'a2', 'a3', 'a4'])
  })

  test('one long work of an account is open at once, two of all accounts; those who wait are next by account', async () => {
    order.length = 0
    const at = turns()
    await Promise.all([
      at.run({ accountId: 1, rows: long }, pieces('a', 2)),
      at.run({ accountId: 1, rows: long }, pieces('A', 1)),
      at.run({ accountId: 2, rows: long }, pieces('b', 3)),
      at.run({ accountId: 3, rows: long }, pieces('c', 1)),
      at.run({ accountId: 4, rows: 10 }, pieces('d', 1)),
    ])
    expect(order).toEqual(['a1', 'b1', 'd1', 'a2', 'b2', 'c1', 'b3', 'A1'])
  })

  test('are handed on by a step that cannot be cut, and taken again behind the others', async () => {
    order.length = 0
    const at = turns()
    let cutShort = (): void => {}
    const uncut = new Promise<void>((resolve) => (cutShort = resolve))
    const sorting = at.run({ accountId: 1, rows: long }, async (turn) => {
      await turn.aside(() => uncut)
      order.push('sorted')
    })
    await at.run({ accountId: 2, rows: long }, pieces('b', 2))
    cutShort()
    await sorting
    expect(order).toEqual(['b1', 'b2', 'sorted'])
  })

  test('go on when a work fails in the middle', async () => {
    const at = turns()
    const failing = at.run({ accountId: 1, rows: long }, async (turn) => {
      await turn.rest()
      throw new Error('the database went away')
    })
    await expect(failing).rejects.toThrow('went away')
    await expect(at.run({ accountId: 1, rows: long }, async () => 'next')).resolves.toBe('next')
  })
})
