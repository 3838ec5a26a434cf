// @module-tag exhaustive
// Cheaper: server/src/modules/call-routes/call-routes.test.ts has what is refused, web/e2e/screens.test.ts the form.
import { lineRoutes } from '@ghanti/contract/lines.ts'
import { trunkRoutes } from '@ghanti/contract/trunks.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { signInOver, type Caller } from '../../server/src/testing/wire.ts'
import {
  address,
  chooseAction,
  chooseOption,
  confirmWith,
  expectRefusals,
  goTo,
  openBrowser,
  password,
  see,
  seeDone,
  useBrowser,
} from './console.ts'

useBrowser()
const [routeName, narrow, cli, shown] = ['Pokhara routes', 'Narrow trunk', '061560001', '061-560001']
let admin: Page
let api: Caller
let trunkId: number
beforeAll(async () => {
  api = await signInOver(address, 'superadmin', password)
  await api.ask(lineRoutes.add, { cli, channels: 5, trunkName: 'Simulated trunk' })
  const [{ dialerId } = { dialerId: 0 }] = await api.ask(trunkRoutes.list, { search: 'Simulated trunk' })
  const sip = { host: '127.0.0.1', shownClis: ['1414'] }
  const trunk = { trunkName: narrow, pilotNumber: '061560000', dialerId, channels: 5, cps: 1, sip }
  trunkId = (await api.ask(trunkRoutes.create, trunk)).trunkId
  admin = await openBrowser({ as: 'superadmin' })
})
const rowOf = (name: string) => admin.getByRole('row').filter({ hasText: name })
const form = () => admin.getByRole('dialog', { name: 'Create Route' })
const save = () => form().getByRole('button', { name: 'Create Route' }).click()

test('a route without a trunk, with a weight of zero or none, or without a trunk for some operators is refused at its fields', async () => {
  await goTo(admin, '/call-routes', 'Call Routes')
  await admin.getByRole('button', { name: 'Create Route' }).click()
  await form().getByLabel('Weight').fill('')
  await save()
  for (const field of ['Route name', 'Trunk', 'Weight']) await form().getByText(`${field} is required`).waitFor()
  await form().getByLabel('Route name').fill(routeName)
  await chooseOption(admin, 'Trunk', /^Simulated trunk/)
  await form().getByLabel('Weight').fill('0')
  expectRefusals(400)
  await save()
  await form().getByText('Weight must be a whole number from 1 to 100', { exact: true }).waitFor()
  await form().getByLabel('Weight').fill('2')
  await form().getByRole('combobox', { name: 'Operators' }).click({ force: true }) // its inner field receives the click
  await admin.getByRole('option', { name: 'Ncell', exact: true }).click()
  await form().getByLabel('Route name').click()
  await save()
  await form().getByText('Trunks leave no trunk to the numbers of').first().waitFor()
  expectRefusals()
  await form().getByRole('button', { name: 'Add a Trunk' }).click()
  await form().getByRole('combobox', { name: 'Trunk', exact: true }).nth(1).click()
  await admin.getByRole('option', { name: new RegExp(`^${narrow}`) }).click()
  await save()
  await seeDone(admin, 'The route was created. Give it to caller IDs in the CLI List.')
  await rowOf(routeName).getByText('weight 2').waitFor()
})

test('a caller ID that a trunk of the route may not show does not get the route, and the refusal names both', async () => {
  await goTo(admin, `/cli-list?search=${cli}`, 'CLI List')
  await chooseAction(admin, cli, 'Choose Route')
  const dialog = admin.getByRole('dialog', { name: shown })
  await chooseOption(admin, 'Route', routeName)
  expectRefusals(409)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await see(admin, `Route cannot be used: trunk '${narrow}' may not show '${cli}'`)
  expectRefusals()
  const [row] = await api.ask(lineRoutes.all, { search: cli })
  expect(row?.routeId).toBeNull()
})

test('nothing of it is left', async () => {
  await goTo(admin, '/call-routes', 'Call Routes')
  await chooseAction(admin, routeName, 'Delete')
  await confirmWith(admin, routeName, 'Are you sure you want to delete this route?')
  await rowOf(routeName).waitFor({ state: 'detached' })
  const [row] = await api.ask(lineRoutes.all, { search: cli })
  await api.ask(lineRoutes.delete, { cliId: row?.cliId ?? 0 })
  await api.ask(trunkRoutes.delete, { trunkId })
})
