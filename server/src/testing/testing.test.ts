import { expect, test } from 'vitest'
import { testApp } from './app.ts'
import { newPlan, newReseller, newUser, sumOfBalances } from './seed.ts'

const app = await testApp()

test('seeded money comes from the mint, so that all balances sum to zero', async () => {
  const reseller = await newReseller(app, { rupees: 500 })
  await newUser(app, { parent: reseller, rupees: 20 })
  expect(await sumOfBalances(app)).toBe(0)
  const entries = await app.db
    .selectFrom('credit_entry')
    .selectAll()
    .where('account_id', '=', reseller.userId)
    .execute()
  expect(entries).toMatchObject([{ amount_paisa: 50_000, balance_paisa: 50_000, action: 'credit_add' }])
})

test('a plan cheaper than its giver’s is refused, naming the call', async () => {
  const dear = await newPlan(app, { pulseSeconds: 30, pulsePaisa: 50 })
  const reseller = await newReseller(app, { planId: dear })
  const cheap = await newPlan(app, { owner: reseller, pulseSeconds: 60, pulsePaisa: 80 })
  await expect(newUser(app, { parent: reseller, planId: cheap })).rejects.toMatchObject({
    code: 'bad_input',
    errors: [{ code: 'plan_cheaper' }],
  })
})

test('the application’s role adds to the audit log and cannot change it', async () => {
  await app.db.insertInto('audit_log').values({ action: 'test', ip: '127.0.0.1' }).execute()
  await expect(app.db.updateTable('audit_log').set({ action: 'other' }).execute()).rejects.toThrow('permission denied')
  await expect(app.db.deleteFrom('audit_log').execute()).rejects.toThrow('permission denied')
})

test('jobs are kept and fetched as the application’s role', async () => {
  await app.jobs.createQueue('greet')
  await app.jobs.send('greet', { name: 'Sita' })
  expect(await app.jobs.fetch('greet')).toMatchObject([{ data: { name: 'Sita' } }])
})
