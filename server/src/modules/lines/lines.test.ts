import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { requireCli } from './actions.ts'
import { lineHandlers } from './routes.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let reseller: Viewer
let user: Viewer
beforeAll(async () => {
  http = await testHttp(app, { handlers: { lines: lineHandlers } })
  boss = await newSuperAdmin(app)
  reseller = await newReseller(app, { parent: boss })
  user = await newUser(app, { parent: reseller })
})

const clisOf = async (viewer: Viewer, userId = viewer.userId) => {
  const reply = await http.inject({ url: `/api/obd/cli/user/${userId}`, headers: await signedIn(app, viewer) })
  return reply.statusCode === 200 ? reply.json<{ cli: string }[]>().map(({ cli }) => cli) : reply.statusCode
}
const require = (owner: Viewer, cli: string) => app.db.transaction().execute((tx) => requireCli(tx, owner.userId, cli))

test('an account sees what was allocated to it, those above see it too, the super admin all', async () => {
  const both = await newLine(app, { holders: [reseller, user] })
  const held = await newLine(app, { holders: [reseller] })
  expect(await clisOf(user)).toEqual([both.cli])
  expect(await clisOf(reseller)).toEqual([both.cli, held.cli])
  expect(await clisOf(reseller, user.userId)).toEqual([both.cli])
  expect(await clisOf(boss)).toEqual([both.cli, held.cli])
  expect(await clisOf(user, reseller.userId)).toBe(404)
  expect(await clisOf(await newUser(app), user.userId)).toBe(404)
})

test('a CLI decides trunk and dialer; one without a trunk, or whose dialer is gone, is inactive', async () => {
  const { cli, cliId, trunkId, dialerId } = await newLine(app, { holders: [user], channels: 12 })
  expect(await require(user, cli)).toEqual({ cliId, trunkId, dialerId, channels: 12 })
  await expect(require(reseller, cli)).rejects.toMatchObject({ errors: [{ field: 'cli', code: 'invalid' }] })
  await app.db.updateTable('dialer').set({ deleted_at: new Date() }).where('id', '=', dialerId).execute()
  await expect(require(user, cli)).rejects.toMatchObject({ errors: [{ field: 'cli', code: 'inactive' }] })
  await app.db.updateTable('cli').set({ deleted_at: new Date() }).where('id', '=', cliId).execute()
  await expect(require(user, cli)).rejects.toMatchObject({ errors: [{ field: 'cli', code: 'invalid' }] })
})
