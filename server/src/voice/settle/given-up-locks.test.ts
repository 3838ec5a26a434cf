import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test, vi } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { polling } from '../../testing/timeouts.ts'
import { newSuperAdmin } from '../../testing/seed.ts'
import { takeover } from '../../dispatch/lease/lease.sql.ts'
import { takeBack } from './given-up.sql.ts'

const app = await testApp({ embedded: false })
let http: FastifyInstance
let headers: { authorization: string }
beforeAll(async () => {
  http = await testHttp(app)
  headers = await signedIn(app, await newSuperAdmin(app))
})

let port = 9000
async function newDialer() {
  const form = { dialerName: `KTM ${++port}`, dialerIP: '10.0.0.5', dialerPort: port }
  const made = await http.inject({ method: 'POST', url: '/api/obd/dialer', headers, payload: form })
  const { dialerId } = made.json<{ dialerId: number }>()
  await app.pool.query(`update dialer set given_up_at = now(), given_up_reason = 'burnt' where id = $1`, [dialerId])
  const lease = await takeover(app.pool, dialerId, 'test', 60_000)
  if (!lease) throw new Error('no lease')
  return { form, dialerId, lease }
}

const waitingForLocks = async () => {
  const { rows } = await app.pool.query<{ n: number }>(
    `select count(distinct pid)::int as n from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`,
  )
  return rows[0]?.n
}

test.each([
  {
    what: 'is moved',
    act: ({ form, dialerId }: Awaited<ReturnType<typeof newDialer>>) =>
      http.inject({
        method: 'POST',
        url: '/api/obd/dialer/update',
        headers,
        payload: { ...form, dialerId, dialerIP: '10.0.0.6' },
      }),
  },
  {
    what: 'is deleted',
    act: ({ dialerId }: { dialerId: number }) =>
      http.inject({ method: 'DELETE', url: `/api/obd/dialer/${dialerId}`, headers }),
  },
])(
  'a dialer that comes back at the moment in which it $what: neither waits for the other in a circle',
  async ({ act }) => {
    const dialer = await newDialer()
    const third = await app.pool.connect()
    try {
      await third.query('begin')
      await third.query('select from dialer_lease where dialer_id = $1 for update', [dialer.dialerId])
      const back = takeBack(app.pool, dialer.lease)
      await vi.waitFor(async () => expect(await waitingForLocks()).toBe(1), polling)
      const acted = act(dialer)
      await vi.waitFor(async () => expect(await waitingForLocks()).toBe(2), polling)
      await third.query('commit')
      expect(await back).toBe(true)
      const reply = await acted
      expect(reply.statusCode, reply.body).toBe(200)
    } finally {
      third.release()
    }
  },
)
