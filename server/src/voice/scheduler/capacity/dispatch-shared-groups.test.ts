import { expect, test } from 'vitest'
import { newGroup } from '../../testing/cli-groups.ts'
import { engineDb } from '../../testing/db.ts'
import {
  claimed,
  counts,
  expectSoundBooks,
  newCampaign,
  newFixtures,
  outcome,
  phones,
  type Fixtures,
} from '../../testing/fixtures.ts'
import { anotherPlace, newRoute, type Place } from '../../testing/routes.ts'
import { settleOutcomes } from '../../settle/settle.sql.ts'
import { shareCampaign, underLockOfClis } from '../../model/campaigns/shared.sql.ts'
import { loadCampaigns } from '../../model/campaigns/snapshot.sql.ts'

const at = await engineDb(8)
const channels = 7

/** A group whose route has a trunk on each of three dialers, and a campaign of the group and one of a member of it. */
async function threeDialers() {
  const fixtures = await newFixtures(at)
  const { line, lease, user } = fixtures
  const places: Place[] = [{ lease, trunkId: line.trunkId }]
  while (places.length < 3) places.push(await anotherPlace(at))
  const group = await newGroup(at, fixtures, { size: 3, channels })
  const steps = places.map(({ trunkId }) => ({ trunkId, priority: 1, weight: 1 }))
  await newRoute(at, { ...fixtures, line: { ...line, cliId: group.cliId } }, steps)
  const [member] = group.members
  if (!member) throw new Error('no member')
  const ofGroup = await newCampaign(at, { user, line: { ...line, cliId: group.cliId }, phones: phones(300) })
  const ofMember = await newCampaign(at, { user, line: { ...line, cliId: member.cliId }, phones: phones(60) })
  return { fixtures, places, group, member, ofGroup, ofMember }
}

type Of = { id: number; memberIds: number[] } | { id: number; cliId: number }

/** Claims until nothing is left; every call is busy. Returns the numbers called, and by caller ID the most calls at once that showed it. */
async function sideBySide(
  fixtures: Fixtures,
  places: readonly Place[],
  next: (place: Place, nth: number, turn: number) => Of,
): Promise<{ called: number[]; most: Map<number, number> }> {
  const most = new Map<number, number>()
  const look = async (): Promise<void> => {
    const { rows } = await at.pool.query<{ cli_id: number; n: number }>(
      'select cli_id, count(*)::int as n from attempt_open group by 1',
    )
    for (const { cli_id, n } of rows) most.set(cli_id, Math.max(most.get(cli_id) ?? 0, n))
  }
  const take = ({ lease, trunkId }: Place, of: Of, wanted: number) => {
    const ids = 'memberIds' in of ? of.memberIds : [of.cliId]
    const clis = ids.map((id) => ({ id, weight: 1, room: 1000 })) // in memory, a dialer sees its own calls alone
    const more = 'memberIds' in of ? { clis } : {}
    return underLockOfClis(at.engine, ids, (engine) =>
      claimed({ engine }, fixtures, of.id, wanted, { lease, trunkId, isShared: true, slot: lease.dialerId, ...more }),
    )
  }
  const called: number[] = []
  const dial = async (place: Place, nth: number): Promise<void> => {
    for (let idle = 0, turn = 0; idle < 20; turn++) {
      const got = await take(place, next(place, nth, turn), 1 + ((turn * 7 + nth) % 11))
      called.push(...got.map(({ phone }) => phone))
      await look()
      idle = got.length > 0 ? 0 : idle + 1
      const ended = got.map((call) => outcome(call, { disposition: 'BUSY', retryInMs: null }))
      await settleOutcomes(at.engine, place.lease, place.lease.dialerId, ended)
    }
  }
  await Promise.all(places.map(dial))
  return { called, most }
}

test('dialers claim rows of a group’s campaign side by side, beside one of a member alone: each row once, and never more calls that show a caller ID than it has channels', async () => {
  const { fixtures, places, group, member, ofGroup, ofMember } = await threeDialers()
  for (const id of [ofGroup, ofMember]) expect(await shareCampaign(at.engine, fixtures.lease, id)).toBe(true)
  const memberIds = group.members.map(({ cliId }) => cliId)
  const { called, most } = await sideBySide(fixtures, places, (_, nth, turn) => {
    const isGroup = nth > 0 || turn % 3 > 0 // the member's own campaign is called for by its dialer alone
    return isGroup ? { id: ofGroup, memberIds } : { id: ofMember, cliId: member.cliId }
  })
  for (const [, n] of most) expect(n).toBeLessThanOrEqual(channels)
  expect([...most.keys()].toSorted((a, b) => a - b)).toEqual(memberIds.toSorted((a, b) => a - b))
  expect(await counts(at, ofGroup)).toMatchObject({ fresh: 0, waiting: 0, in_call: 0, done: 300 })
  expect(await counts(at, ofMember)).toMatchObject({ fresh: 0, waiting: 0, in_call: 0, done: 60 })
  expect(called).toHaveLength(new Set(called).size)
  const { rows } = await at.pool.query<{ dialers: number }>(
    'select count(distinct t.dialer_id)::int as dialers from attempt a join trunk t on t.id = a.trunk_id where a.campaign_id = $1',
    [ofGroup],
  )
  expect(rows).toEqual([{ dialers: 3 }])
  await expectSoundBooks(at)
})

test('where a caller ID of a group is of another dialer, the group’s calls and its own, each over its dialer, never show it more often than it has channels', async () => {
  const fixtures = await newFixtures(at)
  const { line, lease, user } = fixtures
  const other = await anotherPlace(at)
  const elsewhere = { dialerId: other.lease.dialerId, trunkId: other.trunkId }
  const group = await newGroup(at, fixtures, { size: 2, channels, last: elsewhere })
  const [, last] = group.members
  if (!last) throw new Error('no members')
  const ofGroup = await newCampaign(at, { user, line: { ...line, cliId: group.cliId }, phones: phones(120) })
  const ofLast = await newCampaign(at, { user, line: { ...elsewhere, cliId: last.cliId }, phones: phones(120) })
  expect(await shareCampaign(at.engine, lease, ofGroup)).toBe(true)
  expect(await shareCampaign(at.engine, other.lease, ofLast)).toBe(true)
  const memberIds = group.members.map(({ cliId }) => cliId)
  const { called, most } = await sideBySide(fixtures, [{ lease, trunkId: line.trunkId }, other], (_, nth) =>
    nth === 0 ? { id: ofGroup, memberIds } : { id: ofLast, cliId: last.cliId },
  )
  for (const [, n] of most) expect(n).toBeLessThanOrEqual(channels)
  expect(most.get(last.cliId)).toBe(channels)
  for (const id of [ofGroup, ofLast]) expect(await counts(at, id)).toMatchObject({ fresh: 0, in_call: 0, done: 120 })
  expect(called).toHaveLength(240)
  expect(await shareCampaign(at.engine, lease, ofGroup), 'it stays so').toBe(false)
  await expectSoundBooks(at)
})

test('what another dialer shows is seen in the snapshot: of the group, of its members, and of no other caller ID; only their claims count together', async () => {
  const { fixtures, places, ofGroup, ofMember } = await threeDialers()
  const { user, line, lease } = fixtures
  const alone = await newCampaign(at, { user, line, phones: phones(10) })
  const spans = async () =>
    Object.fromEntries((await loadCampaigns(at.engine, [line.dialerId], [])).map((one) => [one.id, one.spans]))
  expect(await spans()).toMatchObject({ [ofGroup]: true, [ofMember]: true, [alone]: false })
  expect(await shareCampaign(at.engine, lease, alone)).toBe(false)
  for (const id of [ofGroup, ofMember]) await shareCampaign(at.engine, lease, id)
  expect(await claimed(at, fixtures, ofMember, 5), 'a claim that counts for itself').toEqual([])
  const [, helper] = places
  const seen = await loadCampaigns(at.engine, [helper?.lease.dialerId ?? 0], [])
  expect(seen.map(({ id }) => id)).toContain(ofGroup)
  expect(seen.map(({ id }) => id)).not.toContain(ofMember)
})
