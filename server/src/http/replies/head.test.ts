import { Readable } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import { WorkLimits } from '../../modules/limits/actions.ts'
import { workLimits } from '../../modules/limits/rules.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newUser } from '../../testing/seed.ts'

const app = await testApp()
const make = vi.fn(async () => Buffer.from('a pdf'))
const read = vi.fn(function (this: Readable) {
  this.push('a row')
  this.push(null)
})
const http = await testHttp(
  { ...app, workLimits: new WorkLimits() },
  {
    handlers: {
      summaries: {
        pdf: async () => ({ type: 'application/pdf', fileName: 'a.pdf', body: { make } }),
        csv: async () => ({ type: 'text/csv', fileName: 'a.csv', body: { stream: new Readable({ read }) } }),
      },
    },
  },
)
const headers = await signedIn(app, await newUser(app))
afterEach(() => vi.clearAllMocks())

test.each([
  { kind: 'a file that is made', url: '/api/obd/campaign/summary/1/summary.pdf', called: make },
  { kind: 'a stream', url: '/api/obd/campaign/summary/1/summary.csv', called: read },
])('a HEAD makes nothing of $kind, and a GET does', async ({ url, called }) => {
  const head = await http.inject({ method: 'HEAD', url, headers })
  expect([head.statusCode, head.body, called.mock.calls.length]).toEqual([200, '', 0])
  const get = await http.inject({ url, headers })
  expect([get.statusCode, get.body.startsWith('a '), called.mock.calls.length > 0]).toEqual([200, true, true])
})

test('a HEAD counts among the exports that an account may begin a minute', async () => {
  await app.db.deleteFrom('rate_limit').execute()
  const ask = () => http.inject({ method: 'HEAD', url: '/api/obd/campaign/summary/1/summary.csv', headers })
  for (let n = 0; n < workLimits.exports.perMinute; n++) expect((await ask()).statusCode).toBe(200)
  expect((await ask()).statusCode).toBe(429)
})
