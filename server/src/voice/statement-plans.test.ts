import { Client } from 'pg'
import { expect, test } from 'vitest'
import { openPool } from '../db/pool.ts'
import { saveSteps } from './settle/steps.sql.ts'
import { settleOutcomes } from './settle/settle.sql.ts'
import { enginePoolOptions, type Queryable } from '../dispatch/statement.ts'
import { engineDb } from './testing/db.ts'
import { savedCall } from './testing/saved-call.ts'
import { claimOf, newCampaign, newFixtures, outcome, phones } from './testing/fixtures.ts'

const at = await engineDb(2)

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  'Recheck Cond'?: string
  Plans?: Plan[]
}

/** Tables that the calls of an hour fill and empty again, so that VACUUM and ANALYZE may find them at any size. */
const emptied = ['attempt_open', 'attempt_step', 'number_use', 'contact_retry']

test('batches of calls look each call up by its key although the tables were empty when they were analysed', async () => {
  const fixtures = await newFixtures(at)
  const owner = openPool({ connectionString: at.url, max: 1, name: 'test-owner', asOwner: true }, () => {})
  for (const table of emptied) await owner.query(`vacuum analyze ${table}`)
  await owner.end()
  const seen = new Map<string, string>()
  const engine = new Proxy(at.engine, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (key !== 'query') return typeof value === 'function' ? value.bind(target) : value
      return (query: { name: string; text: string }, ...values: unknown[]) => {
        if (query.name) seen.set(query.name, query.text)
        return Reflect.apply(target.query, target, [query, ...values])
      }
    },
  }) satisfies Queryable
  const campaignId = await newCampaign(at, {
    user: fixtures.user,
    line: fixtures.line,
    phones: phones(3),
    reservePaisa: 40,
  })
  const { calls } = await claimOf({ engine }, fixtures, campaignId, 3)
  expect(calls).toHaveLength(3)
  const step = { answeredAt: Date.now(), keys: '', call: savedCall }
  await saveSteps(
    engine,
    calls.map(({ id }) => ({ lease: fixtures.lease, step: { ...step, attemptId: id } })),
  )
  const outcomes = calls.map((call) => outcome(call, { disposition: 'ANSWER', billMs: 1000 }))
  const plans = await plansInside((client) => settleOutcomes(client, fixtures.lease, 0, outcomes))
  expect(plans.flatMap((plan) => wholeReads(plan))).toEqual([])
  expect(plans.flatMap(nodesOf).map((node) => node['Relation Name'])).toEqual(expect.arrayContaining(emptied))

  expect([...seen.keys()]).toEqual(expect.arrayContaining(['claim', 'save_steps']))
  for (const [name, text] of seen) {
    const { rows } = await at.engine.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `explain (generic_plan, format json) ${text}`,
    )
    const whole = rows.flatMap((row) => row['QUERY PLAN']).flatMap(({ Plan: plan }) => wholeReads(plan))
    expect([name, whole]).toEqual([name, []])
  }
})

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}

/** Reads of those tables that no key leads to. */
function wholeReads(plan: Plan): Plan[] {
  const read = nodesOf(plan).filter(
    (node) => emptied.includes(node['Relation Name'] ?? '') && node['Node Type'].includes('Scan'),
  )
  return read.filter(
    (node) => (node['Index Cond'] ?? node['Recheck Cond']) === undefined && node['Node Type'] !== 'Tid Scan',
  )
}

/** Of the statements that functions carry out. */
async function plansInside(work: (client: Client) => Promise<unknown>): Promise<Plan[]> {
  const plans: Plan[] = []
  const settings = `-c auto_explain.log_min_duration=0 -c auto_explain.log_nested_statements=on -c auto_explain.log_format=json`
  const client = new Client({ connectionString: at.url, options: `${enginePoolOptions} ${settings}` })
  client.on('notice', ({ message = '' }) => {
    const json = message.slice(message.indexOf('{'))
    if (message.includes('plan:')) plans.push((JSON.parse(json) as { Plan: Plan }).Plan)
  })
  await client.connect()
  try {
    await client.query("load 'auto_explain'; set client_min_messages = log")
    await work(client)
  } finally {
    await client.end()
  }
  return plans
}
