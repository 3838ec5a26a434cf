import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { beforeEach } from 'vitest'
import type { PasskeyAsked, PasskeyWanted } from '@ghanti/contract/passkeys.ts'
import type { Viewer } from '../policy.ts'
import { testApp, type TestApp } from './app.ts'
import { Authenticator, type Said } from './authenticator.ts'
import { signedIn, testHttp } from './http.ts'
import { newReseller, newUser, seededPassword } from './seed.ts'

type Headers = Record<string, string>
type Begun = { token: string; options: PasskeyWanted; mailed: boolean }
type Factors = {
  factors: { factorId: number; kind: string; usedAt: string | null; passkey?: object }[]
  passkeyHost: string | null
  passkeyFault: string | null
}

/** The first thing that a reply says is wrong: its field and why. */
export function errorOf(reply: { json(): { errors?: { field: string; text: string }[] } }): string | undefined {
  const [error] = reply.json().errors ?? []
  return error && `${error.field} ${error.text}`
}

function jsonOf<T>(reply: LightMyRequestResponse): T {
  if (reply.statusCode !== 200) throw new Error(`${reply.statusCode} ${reply.body}`)
  return reply.json<T>()
}

/** What browsers ask of `http` at `host`, from a network of their own. */
export function browsersAt(app: TestApp, http: FastifyInstance, here: string) {
  let network = 0
  const post = (url: string, payload: object = {}, headers: Headers = {}, remoteAddress = `103.11.${network}.7`) =>
    http.inject({ method: 'POST', url: `/api/obd/${url}`, payload, headers: { host: here, ...headers }, remoteAddress })
  const asked = async (headers: Headers = {}, payload: object = {}) =>
    jsonOf<PasskeyAsked>(await post('login/passkey/options', payload, headers))
  const begin = async (headers: Headers) => jsonOf<Begun>(await post('factors/passkey/options', {}, headers))
  const add = async (user: Viewer, { key = new Authenticator(), host = here } = {}) => {
    await app.db.updateTable('users').set({ verified_emailid: null }).where('id', '=', user.userId).execute()
    const headers: Headers = { ...(await signedIn(app, user)), host }
    const { token, options } = await begin(headers)
    const adding = { token, name: 'Telephone', passkey: key.make(options) }
    const { factorId } = jsonOf<{ factorId: number }>(await post('factors/passkey', adding, headers))
    return { key, headers, factorId }
  }
  return {
    /** Another for each test: each has a number of requests a minute. */
    inNewNetwork: () => void network++,
    post,
    asked,
    begin,
    /** The account gets one, without a mailed code. */
    add,
    login: ({ username }: Viewer, headers: Headers = {}) =>
      post('login', { username, password: seededPassword }, headers),
    /** A sign-in with it alone. */
    use: async (key: Authenticator, said: Said = {}, headers: Headers = {}) =>
      post('login/passkey', { passkey: key.use(await asked(headers), said) }, headers),
    factorsOf: async (headers: Headers) =>
      jsonOf<Factors>(await http.inject({ url: '/api/obd/factors', headers: { host: here, ...headers } })),
    withPasskey: async (options: { isSynced?: boolean } = {}) => {
      const user = await newUser(app)
      return { user, ...(await add(user, { key: new Authenticator(options) })) }
    },
  }
}

/** A server at `here`, where it is noon before each test, and its reseller Himal Voice, whose confirmed domain is `other`. */
export async function passkeyServer({ here, other }: { here: string; other: string }) {
  const noon = new Date('2026-11-30T06:15:00Z')
  const app = await testApp({ publicUrl: `https://${here}` })
  const http = await testHttp(app)
  const browsers = browsersAt(app, http, here)
  beforeEach(() => {
    browsers.inNewNetwork()
    app.clock.set(noon)
    app.mail.sent.length = 0
  })
  const reseller = await newReseller(app)
  await app.db.insertInto('branding').values({ user_id: reseller.userId, company: 'Himal Voice' }).execute()
  const confirmed = { user_id: reseller.userId, hostname: other, confirmed_at: noon }
  await app.db.insertInto('brand_domain').values(confirmed).execute()
  return { app, http, noon, reseller, ...browsers }
}

/** The session that a sign-in opened. */
export const bearer = (reply: { json(): { token: string } }): Headers => ({
  authorization: `Bearer ${reply.json().token}`,
})
