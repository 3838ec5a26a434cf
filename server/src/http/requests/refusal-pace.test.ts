import * as http from 'node:http'
import type { AddressInfo } from 'node:net'
import { routes } from '@ghanti/contract/routes.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newApiKey } from '../../testing/keys.ts'
import { newSuperAdmin, newUser } from '../../testing/seed.ts'
import { polling } from '../../testing/timeouts.ts'
import { RefusalPace } from './refusal-pace.ts'

const app = await testApp({ trustProxy: ['127.0.0.1'] })
const server = await testHttp(app, { refusals: new RefusalPace() })
await server.listen({ port: 0, host: '127.0.0.1' })
const { port } = server.server.address() as AddressInfo

/** Sends the beginning of a body that is said to have so many bytes, and resolves with the status. */
function begin(network: number, bytes: number, path: string): Promise<number> {
  const request = http.request({
    port,
    host: '127.0.0.1',
    path,
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': bytes,
      'x-forwarded-for': `203.0.${network}.7`,
    },
  })
  onTestFinished(() => void request.destroy())
  request.on('error', () => {})
  request.write('--x\r\n')
  return new Promise((resolve) => {
    request.on('response', (reply) => resolve(reply.statusCode ?? 0))
  })
}

const large = 6_000_000
test.each([
  { network: 1, what: 'files without a session', path: routes.blacklist.upload.path, status: 401 },
  { network: 2, what: 'files to paths that take none', path: '/api/obd/nothing', status: 404 },
  { network: 3, what: 'forms to a path that strangers may use', path: routes.auth.login.path, status: 400 },
])(
  'whoever sends large $what is answered late from the sixth on, and everybody else at once',
  async ({ network, path, status }) => {
    for (let n = 0; n < 5; n++) expect(await begin(network, large, path)).toBe(status)
    const answered: string[] = []
    const ask = async (who: string, of: number, bytes: number): Promise<void> => {
      expect(await begin(of, bytes, path)).toBe(status)
      answered.push(who)
    }
    const late = ask('the sixth', network, large)
    for (let n = 0; n < 5; n++) await ask('another network', network + 10, large)
    await late
    expect(answered.at(-1)).toBe('the sixth')
  },
)

async function refused(of: number, headers: Record<string, string> = {}): Promise<void> {
  const remoteAddress = `203.0.${of}.7`
  const reply = await server.inject({ url: '/api/obd/nothing', headers, remoteAddress })
  expect(reply.statusCode).toBe(404)
}

test('whoever goes on after sixty refusals has ten a second answered, and what is not refused at once', async () => {
  // Twenty-five of them are late already: a busy machine takes part of a second, in which ten are forgiven.
  const before = Array.from({ length: 85 }, () => refused(20))
  const answered: string[] = []
  const late = Array.from({ length: 3 }, () => refused(20).then(() => answered.push('late')))
  await refused(21)
  answered.push('another network')
  expect((await server.inject({ url: '/healthz', remoteAddress: '203.0.20.7' })).statusCode).toBe(200)
  answered.push('not refused')
  await Promise.all([...before, ...late])
  expect(answered).toEqual(['another network', 'not refused', 'late', 'late', 'late'])
})

test('an account’s refusals count together, wherever it asks from, and apart from those of its network', async () => {
  const viewer = await newSuperAdmin(app)
  const headers = await signedIn(app, viewer)
  const ask = async (of: number) => {
    const url = routes.voiceCampaigns.detail.path.replace(':campaignId', '999999')
    expect((await server.inject({ url, headers, remoteAddress: `203.0.${of}.7` })).statusCode).toBe(404)
  }
  for (let n = 0; n < 60; n++) await ask(n)
  const answered: string[] = []
  const late = ask(31).then(() => answered.push('late'))
  await refused(31)
  answered.push('its network')
  await late
  expect(answered).toEqual(['its network', 'late'])
})

test('whoever has two hundred refusals kept back has the connections of further ones closed', async () => {
  const asked = Array.from({ length: 300 }, () =>
    server.inject({ url: '/api/obd/nothing', remoteAddress: '203.0.40.7' }).then(
      ({ statusCode }) => statusCode,
      () => 0,
    ),
  )
  const statuses = await Promise.all(asked)
  expect(statuses.filter((status) => status === 404)).toHaveLength(260)
})

test('a key that is shown outside of its networks delays its thief, and not its account', async () => {
  const viewer = await newUser(app)
  const { headers } = await newApiKey(app, viewer, { networks: ['203.0.50.0/24'] })
  const url = `/api/obd/campaign/${viewer.userId}`
  const ask = async (of: number, url: string) =>
    (await server.inject({ url, headers, remoteAddress: `203.0.${of}.7` })).statusCode
  const answered: string[] = []
  const asked = Promise.all(
    Array.from({ length: 90 }, () => ask(51, url).then((status) => (answered.push('thief'), status))),
  )
  await vi.waitFor(() => expect(answered.length).toBeGreaterThan(50), polling)
  expect(await ask(50, '/api/obd/campaign/999999999')).toBe(404)
  answered.push('account')
  expect(new Set(await asked)).toEqual(new Set([403]))
  expect(answered.at(-1)).toBe('thief')
})
