import * as http from 'node:http'
import type { AddressInfo } from 'node:net'
import { routes } from '@ghanti/contract/routes.ts'
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { testHttp } from '../../testing/http.ts'

const app = await testApp({ trustProxy: ['127.0.0.1'] })
const server = await testHttp(app)
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
  'whoever sends large $what is answered late from the sixth in a minute on, and everybody else at once',
  async ({ network, path, status }) => {
    for (let n = 0; n < 5; n++) expect(await begin(network, large, path)).toBe(status)
    const answered: string[] = []
    const ask = async (who: string, of: number, bytes: number): Promise<void> => {
      expect(await begin(of, bytes, path)).toBe(status)
      answered.push(who)
    }
    const late = ask('the sixth', network, large)
    for (let n = 0; n < 5; n++) await ask('another network', network + 10, large)
    for (let n = 0; n < 5; n++) await ask('a small body', network, 1000)
    await late
    expect(answered.at(-1)).toBe('the sixth')
  },
)
