import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import type { userHandlers } from '../../modules/users/routes.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller } from '../../testing/seed.ts'

const app = await testApp()
let address: string
/** A CSV that sends a line every tenth of a second for three seconds. */
beforeAll(async () => {
  const listCsv: typeof userHandlers.listCsv = async () => ({
    type: 'text/csv',
    fileName: 'slow.csv',
    body: {
      stream: Readable.from(
        (async function* () {
          for (let line = 0; line < 30; line++) {
            yield `line ${line}\r\n`
            await sleep(100)
          }
        })(),
      ),
    },
  })
  const http = await testHttp(app, { handlers: { users: { listCsv } } })
  await http.listen({ port: 0, host: '127.0.0.1' })
  address = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`
})

async function download(meanwhile: (userId: number) => Promise<unknown>): Promise<string> {
  const viewer = await newReseller(app)
  const headers = await signedIn(app, viewer)
  const reply = await fetch(`${address}/api/obd/user/${viewer.userId}/users.csv`, { headers })
  expect(reply.status).toBe(200)
  const text = reply.text()
  await meanwhile(viewer.userId)
  return text
}

test('a download that is under way breaks off when its reader is disabled', async () => {
  const at = performance.now()
  const disable = (userId: number) =>
    app.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', userId).execute()
  await expect(download(disable)).rejects.toThrow()
  expect(performance.now() - at).toBeLessThan(2500)
})

test('one whose reader stays is whole', async () => {
  expect((await download(async () => {})).trim().split('\r\n')).toHaveLength(30)
})
