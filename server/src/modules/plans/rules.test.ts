import { expect, test } from 'vitest'
import { chainFault, givingFault } from './rules.ts'

const plan = (name: string, pulseMs: number, pulsePaisa: number) => ({ name, pulseMs, pulsePaisa })
const user = { username: 'ram', plan: plan('Retail', 30_000, 60) }
const reseller = { username: 'shop', plan: plan('Wholesale', 30_000, 50) }

test.each([
  { why: 'each plan covers the one above', chain: [user, reseller], fault: null },
  { why: 'the same price is not cheaper', chain: [reseller, reseller], fault: null },
  { why: 'below the platform there is nothing to compare', chain: [user], fault: null },
  {
    why: 'cheaper for a call of any length',
    chain: [{ username: 'ram', plan: plan('Retail', 15_000, 20) }, reseller],
    fault: { code: 'plan_cheaper', text: expect.stringMatching(/'Retail' of ram .* 'Wholesale' of shop/) },
  },
  {
    why: 'cheaper only for long calls',
    chain: [{ username: 'ram', plan: plan('Retail', 60_000, 90) }, reseller],
    fault: { code: 'plan_cheaper', text: expect.anything() },
  },
  {
    why: 'no plan',
    chain: [{ username: 'ram', plan: null }, reseller],
    fault: { code: 'no_plan', text: 'is missing: your account has none' },
  },
  {
    why: 'a reseller without a plan',
    chain: [user, { username: 'shop', plan: null }],
    fault: { code: 'no_plan', text: 'is missing: shop has none' },
  },
])('$why', ({ chain, fault }) => expect(chainFault(chain)).toEqual(fault))

const priced = (name: string, segmentPaisa: number) => ({ ...plan(name, 30_000, 50), enabled: true, segmentPaisa })
const [cheap, usual, dear] = [priced('Cheap', 100), priced('Usual', 150), priced('Dear', 200)]

test.each([
  { why: 'a segment costs as much as the giver pays', plan: usual, own: usual, below: [], fault: null },
  {
    why: 'a segment would cost less than the giver pays',
    plan: cheap,
    own: usual,
    below: [],
    fault: { code: 'plan_cheaper', text: 'is too cheap: you pay 150 paisa a segment yourself' },
  },
  { why: 'the platform pays nobody', plan: cheap, own: null, below: [], fault: null },
  {
    why: 'a segment would cost more than the account takes for it',
    plan: dear,
    own: cheap,
    below: [{ username: 'ram', plan: usual }],
    fault: {
      code: 'plan_dearer',
      text: "is too expensive: a segment costs ram 150 paisa by 'Usual', this account 200 paisa",
    },
  },
])('a plan is given when messages are covered, too: $why', ({ fault, ...giving }) =>
  expect(givingFault({ ...giving, held: false })).toEqual(fault),
)
