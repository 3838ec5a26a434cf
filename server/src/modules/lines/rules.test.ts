import { describe, expect, test } from 'vitest'
import { allocationProblems, usedBy, withAllPassedOn } from './rules.ts'

const platform = { userId: 1, role: 'superAdmin' } as const
const reseller = { userId: 2, role: 'reseller' } as const
const child = 3
const otherChild = 4
const held = { cliId: 10, accountId: reseller.userId, username: 'ram', givenBy: platform.userId, ofPlatform: true }
const passedOn = { cliId: 10, accountId: child, username: 'gita', givenBy: reseller.userId, ofPlatform: false }
const fixtures = {
  giver: reseller,
  clis: new Map([
    [10, { number: '015970001', pool: 'dedicated' }],
    [11, { number: '015970002', pool: 'shared' }],
  ]),
  holdings: [held, { ...held, cliId: 11 }],
  takers: new Map([
    [child, 'gita'],
    [otherChild, 'hari'],
  ]),
}
const said = (
  rows: Parameters<typeof allocationProblems>[0],
  more: Partial<Parameters<typeof allocationProblems>[1]> = {},
) => allocationProblems(rows, { ...fixtures, ...more }).map(({ field, text }) => [field, text])

describe('rows to allocate', () => {
  test('are fine when each names one of the viewer’s CLIs and accounts', () => {
    expect(
      said([
        { cliId: 10, userId: child },
        { cliId: 11, userId: otherChild },
      ]),
    ).toEqual([])
  })
  test.each([
    { why: 'no row', rows: [], is: [['cliRows', 'Please add CLI Row']] },
    { why: 'no CLI chosen', rows: [{ userId: child }], is: [['cliRows.0.cliId', 'Please select CLI']] },
    { why: 'no account chosen', rows: [{ cliId: 10 }], is: [['cliRows.0.userId', 'is required']] },
    {
      why: 'the same CLI twice',
      rows: [
        { cliId: 11, userId: child },
        { cliId: 11, userId: otherChild },
      ],
      is: [['cliRows.1.cliId', '015970002 is already selected']],
    },
    {
      why: 'a CLI that is not there',
      rows: [{ cliId: 99, userId: child }],
      is: [['cliRows.0.cliId', 'is not a caller ID of yours']],
    },
    {
      why: 'an account of somebody else',
      rows: [{ cliId: 10, userId: 77 }],
      is: [['cliRows.0.userId', 'is not an account to which you can allocate']],
    },
    {
      why: 'all that is wrong is said at once',
      rows: [{}, { cliId: 10, userId: 77 }],
      is: [
        ['cliRows.0.cliId', 'Please select CLI'],
        ['cliRows.0.userId', 'is required'],
        ['cliRows.1.userId', 'is not an account to which you can allocate'],
      ],
    },
  ])('$why', ({ rows, is }) => expect(said(rows)).toEqual(is))

  test('a CLI that others hold is none of the viewer’s, though it is there', () => {
    expect(said([{ cliId: 10, userId: child }], { holdings: [] })).toEqual([
      ['cliRows.0.cliId', 'is not a caller ID of yours'],
    ])
  })
  test('a dedicated one has one holder a level, a shared one several, an account none twice', () => {
    const taken = [['cliRows.0.cliId', "is allocated to 'gita' already"]]
    const holdings = [...fixtures.holdings, passedOn, { ...passedOn, cliId: 11 }]
    expect(said([{ cliId: 10, userId: otherChild }], { holdings })).toEqual(taken)
    expect(said([{ cliId: 11, userId: otherChild }], { holdings })).toEqual([])
    expect(said([{ cliId: 11, userId: child }], { holdings })).toEqual(taken)
  })
  test('all super admins are one level', () => {
    const other = { giver: { userId: 99, role: 'superAdmin' } as const, holdings: [held] }
    expect(said([{ cliId: 10, userId: child }], other)).toEqual([['cliRows.0.cliId', "is allocated to 'ram' already"]])
  })
})

test('what is taken back goes with all that was passed on, at every depth, and with nothing else', () => {
  const deeper = { ...passedOn, accountId: 5, givenBy: child }
  const ofPlatform = { ...held, accountId: 6 }
  const otherCli = { ...passedOn, cliId: 11, accountId: 7 }
  const holdings = [held, passedOn, deeper, ofPlatform, otherCli]
  expect(withAllPassedOn(holdings, 10, reseller.userId)).toEqual([reseller.userId, child, 5])
  expect(withAllPassedOn(holdings, 10, child)).toEqual([child, 5])
})

test('who uses it is said with the first three names', () => {
  const campaign = (name: string) => ({ name, status: 'onHold' }) as const
  expect(usedBy([])).toBeNull()
  expect(usedBy(['A', 'B', 'C', 'D'].map(campaign))).toBe(
    "is used by 'A' (On Hold), 'B' (On Hold), 'C' (On Hold): wait until they are finished or stop them",
  )
})
