import type { FastifyInstance } from 'fastify'
import { isStored } from '../../drivers/files/driver.ts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { pictureFile } from '../../testing/files/picture.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { withFiles } from '../files/actions.ts'
import { saveBrand } from './actions.ts'
import { brandHandlers, brandingHandlers } from './routes.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let reseller: Viewer
beforeAll(async () => {
  http = await testHttp(app, { handlers: { branding: brandingHandlers, brands: brandHandlers } })
  boss = await newSuperAdmin(app, { username: 'Boss' })
})
beforeEach(async () => {
  reseller = await newReseller(app, { parent: boss })
})

type Brand = {
  company: string
  logoUrl: string | null
  primaryColour: string | null
  domain: { hostname: string } | null
  waiting: { hostname: string } | null
  refused: { hostname: string; reason: string } | null
}
let serial = 0
const freshDomain = () => `calls${++serial}.example.com`

async function save(viewer: Viewer, fields: Record<string, string | File>) {
  const form = new FormData()
  for (const [name, value] of Object.entries<string | File>({ company: 'Voice', ...fields }))
    if (value instanceof File) form.append(name, value)
    else form.append(name, value)
  const body = new Response(form)
  const headers = { ...(await signedIn(app, viewer)), 'content-type': body.headers.get('content-type') ?? '' }
  const payload = Buffer.from(await body.arrayBuffer())
  return http.inject({ method: 'POST', url: '/api/obd/brand', headers, payload })
}
async function ownBrand(viewer: Viewer): Promise<Brand> {
  return (await http.inject({ url: '/api/obd/brand', headers: await signedIn(app, viewer) })).json<Brand>()
}
const shownAt = async (host: string) => (await http.inject({ url: `/api/obd/branding/${host}` })).json<Brand>()
type Decision = { hostname: string; userId?: number; reason?: string }
async function decide(viewer: Viewer, what: 'confirm' | 'refuse', { hostname, userId, ...more }: Decision) {
  const claim = await app.db
    .selectFrom('brand_domain')
    .select('id as domainId')
    .where('hostname', '=', hostname)
    .where('user_id', '=', userId ?? reseller.userId)
    .executeTakeFirst()
  const headers = await signedIn(app, viewer)
  const payload = { domainId: claim?.domainId ?? 1_000_000, ...more }
  return http.inject({ method: 'POST', url: `/api/obd/brand/domain/${what}`, headers, payload })
}
const errorsOf = (reply: { json(): unknown }) => (reply.json() as { errors: { field: string; text: string }[] }).errors

describe('domains', () => {
  test('one works from its confirmation on, for its reseller; every other host is the platform’s', async () => {
    const domain = freshDomain()
    expect((await save(reseller, { domain: domain.toUpperCase(), primaryColour: '#0B7A75' })).statusCode).toBe(200)
    expect(await ownBrand(reseller)).toMatchObject({ domain: null, waiting: { hostname: domain }, refused: null })
    expect(await shownAt(domain)).toMatchObject({ company: 'Ghanti', logoUrl: null })
    expect((await decide(boss, 'confirm', { hostname: domain })).statusCode).toBe(200)
    expect(await shownAt(`${domain.toUpperCase()}.`)).toMatchObject({ company: 'Voice', primaryColour: '#0b7a75' })
    expect(await shownAt(`x.${domain}`)).toMatchObject({ company: 'Ghanti' })
    expect(await ownBrand(reseller)).toMatchObject({ domain: { hostname: domain }, waiting: null })
    await app.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', reseller.userId).execute()
    expect(await shownAt(domain), 'its owner is gone').toMatchObject({ company: 'Ghanti' })
    expect((await save(await newReseller(app), { domain })).statusCode, 'and it is free').toBe(200)
  })

  test('a disabled reseller’s is the platform’s until it is lifted, also when an account above is the disabled one', async () => {
    const top = await newReseller(app)
    const below = await newReseller(app, { parent: top })
    const domain = freshDomain()
    await save(below, { domain })
    await decide(boss, 'confirm', { hostname: domain, userId: below.userId })
    for (const stopped of [top, below]) {
      const set = (disabled_at: Date | null) =>
        app.db.updateTable('users').set({ disabled_at }).where('id', '=', stopped.userId).execute()
      await set(new Date())
      expect(await shownAt(domain)).toMatchObject({ company: 'Ghanti', logoUrl: null })
      await set(null)
      expect(await shownAt(domain)).toMatchObject({ company: 'Voice' })
    }
  })

  test('while the next one waits the one before works; without a domain none does', async () => {
    const [before, next] = [freshDomain(), freshDomain()]
    await save(reseller, { domain: before })
    await decide(boss, 'confirm', { hostname: before })
    await save(reseller, { domain: next })
    expect(await ownBrand(reseller)).toMatchObject({ domain: { hostname: before }, waiting: { hostname: next } })
    expect(await shownAt(before)).toMatchObject({ company: 'Voice' })
    await decide(boss, 'confirm', { hostname: next })
    expect([await shownAt(before), await shownAt(next)]).toMatchObject([{ company: 'Ghanti' }, { company: 'Voice' }])
    await save(reseller, {})
    expect(await ownBrand(reseller)).toMatchObject({ domain: null, waiting: null })
  })

  test('a refused one stops working, its owner reads why; asking again forgets it', async () => {
    const domain = freshDomain()
    await save(reseller, { domain })
    await decide(boss, 'confirm', { hostname: domain })
    expect((await decide(boss, 'refuse', { hostname: domain, reason: 'It is not yours' })).statusCode).toBe(200)
    expect(await shownAt(domain)).toMatchObject({ company: 'Ghanti' })
    const refused = { hostname: domain, reason: 'It is not yours' }
    expect(await ownBrand(reseller)).toMatchObject({ domain: null, waiting: null, refused })
    await save(reseller, { domain: freshDomain() })
    expect(await ownBrand(reseller)).toMatchObject({ refused: null })
    const lines = await app.db
      .selectFrom('audit_log')
      .select(['actor_id', 'action', 'detail'])
      .where('target', '=', `user ${reseller.userId}`)
      .orderBy('id')
      .execute()
    expect(lines).toMatchObject([
      { actor_id: reseller.userId, action: 'brand.update', detail: { domain } },
      { actor_id: boss.userId, action: 'domain.confirm', detail: { domain } },
      { actor_id: boss.userId, action: 'domain.refuse', detail: { domain, reason: 'It is not yours' } },
      { action: 'brand.update' },
    ])
  })

  test('a claim shuts nobody out: twenty ask for one domain, its owner gets it, and the others read that another account did', async () => {
    const domain = freshDomain()
    const racers = await Promise.all(Array.from({ length: 20 }, () => newReseller(app, { parent: boss })))
    const replies = await Promise.all(racers.map((racer) => save(racer, { domain })))
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200))
    const [squatter, owner] = racers
    if (!squatter || !owner) throw new Error('nobody asked')
    const rows = (
      await http.inject({ url: `/api/obd/brand/domains?search=${domain}`, headers: await signedIn(app, boss) })
    ).json<{ others: number }[]>()
    expect(rows.map(({ others }) => others)).toEqual(Array(20).fill(19))
    expect((await decide(boss, 'confirm', { hostname: domain, userId: owner.userId })).statusCode).toBe(200)
    expect(await ownBrand(owner)).toMatchObject({ domain: { hostname: domain }, waiting: null })
    const refused = { hostname: domain, reason: null }
    expect(await ownBrand(squatter)).toMatchObject({ domain: null, waiting: null, refused })
    expect((await decide(boss, 'confirm', { hostname: domain, userId: squatter.userId })).statusCode).toBe(404)
    const late = await save(squatter, { domain })
    expect([late.statusCode, errorsOf(late)]).toEqual([
      409,
      [{ field: 'domain', code: 'taken', text: 'is another account’s domain' }],
    ])
  })

  test('one who asks while another is confirmed does not wait for a domain that is taken', async () => {
    const domain = freshDomain()
    const [first, second] = [reseller, await newReseller(app, { parent: boss })]
    await save(first, { domain })
    const [asked, confirmed] = await Promise.all([
      save(second, { domain }),
      decide(boss, 'confirm', { hostname: domain, userId: first.userId }),
    ])
    expect(confirmed.statusCode).toBe(200)
    expect([200, 409]).toContain(asked.statusCode)
    expect((await ownBrand(second)).waiting).toBeNull()
  })

  test('an account has at most ten that wait, those that it asked for its own accounts included', async () => {
    const children = await Promise.all(Array.from({ length: 11 }, () => newReseller(app, { parent: reseller })))
    const ctx = { app, viewer: reseller, origin: { ip: '127.0.0.1', host: 'localhost', userAgent: 'test' } }
    const asked = await Promise.allSettled(
      children.map(({ userId }) => withFiles(app, (tx) => saveBrand(tx, ctx, { userId, domain: freshDomain() }))),
    )
    const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
    expect(refused).toMatchObject([
      { code: 'conflict', errors: [{ field: 'domain', text: 'is one too many: 10 domains that you asked for wait' }] },
    ])
  })

  test('one that the super admin gives an account works at once', async () => {
    const domain = freshDomain()
    const ctx = { app, viewer: boss, origin: { ip: '127.0.0.1', host: 'localhost', userAgent: 'test' } }
    await withFiles(app, (tx) => saveBrand(tx, ctx, { userId: reseller.userId, domain }))
    expect(await shownAt(domain)).toMatchObject({ company: `Company of ${reseller.username}` })
  })

  test.each([
    ['127.0.0.1', 'is the platform’s own'],
    ['localhost', 'must be a whole host name, like calls.example.com'],
  ])('%s is refused', async (domain, text) => {
    const own = { ...app, config: { ...app.config, publicUrl: 'http://platform.example.com' } }
    const ctx = { app: own, viewer: reseller, origin: { ip: '127.0.0.1', host: 'localhost', userAgent: 'test' } }
    const typed = domain === '127.0.0.1' ? 'Platform.example.com' : domain
    const saved = withFiles(app, (tx) => saveBrand(tx, ctx, { userId: reseller.userId, domain: typed }))
    await expect(saved).rejects.toMatchObject({ code: 'bad_input', errors: [{ field: 'domain', text }] })
  })

  test('the super admin’s list has who waits first, and can be searched', async () => {
    const [waiting, working] = [freshDomain(), freshDomain()]
    const other = await newReseller(app, { parent: boss })
    await save(other, { domain: working })
    await decide(boss, 'confirm', { hostname: working, userId: other.userId })
    await save(reseller, { domain: waiting, company: 'Himal Voice' })
    const list = async (query: string) =>
      http.inject({ url: `/api/obd/brand/domains?${query}`, headers: await signedIn(app, boss) })
    const rows = (await list('')).json<{ hostname: string; confirmedAt: string | null }[]>()
    expect(rows.findIndex(({ hostname }) => hostname === waiting)).toBe(0)
    expect(rows.find(({ hostname }) => hostname === working)).toMatchObject({
      confirmedBy: 'Boss',
      userId: other.userId,
    })
    expect((await list('search=himal')).json()).toMatchObject([
      { hostname: waiting, username: reseller.username, company: 'Himal Voice', confirmedAt: null },
    ])
  })

  test('nobody but the super admin decides; what does not wait cannot be confirmed', async () => {
    const domain = freshDomain()
    await save(reseller, { domain })
    expect((await decide(reseller, 'confirm', { hostname: domain })).statusCode).toBe(403)
    expect((await decide(boss, 'confirm', { hostname: freshDomain() })).statusCode).toBe(404)
    await decide(boss, 'confirm', { hostname: domain })
    expect((await decide(boss, 'confirm', { hostname: domain })).statusCode).toBe(404)
    expect(errorsOf(await decide(boss, 'refuse', { hostname: domain }))).toMatchObject([{ field: 'reason' }])
    expect((await save(await newUser(app), {})).statusCode, 'a user has no brand').toBe(403)
  })
})

describe('logos', () => {
  test('one is stored by its content, served as what it is, kept for ever and able to do nothing', async () => {
    const file = pictureFile('logo.svg')
    expect((await save(reseller, { logo: file })).statusCode).toBe(200)
    const { logoUrl } = await ownBrand(reseller)
    expect(logoUrl).toMatch(/^\/api\/obd\/logo\/[0-9a-f]{64}\.png$/)
    const logo = await http.inject({ url: logoUrl ?? '' })
    expect(logo.rawPayload).toEqual(Buffer.from(await file.arrayBuffer()))
    expect(logo.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
    })
    await save(reseller, {})
    expect((await ownBrand(reseller)).logoUrl, 'stays until it is removed').toBe(logoUrl)
    await save(reseller, { removeLogo: 'true' })
    expect((await ownBrand(reseller)).logoUrl).toBeNull()
    expect((await http.inject({ url: logoUrl ?? '' })).statusCode, 'nobody has it').toBe(404)
  })

  test('one that gave its place to another goes at once, unless somebody else’s brand has it', async () => {
    const [first, second] = [pictureFile('a.png', 70), pictureFile('b.png', 71)]
    const other = await newReseller(app, { parent: boss })
    const hashOf = async () => (await ownBrand(reseller)).logoUrl?.match(/[0-9a-f]{64}/)?.[0] ?? ''
    const stored = async (hash: string) => isStored(app.files, hash)
    await save(reseller, { logo: first })
    const hash = await hashOf()
    await save(other, { logo: first })
    await save(reseller, { logo: second })
    expect(await stored(hash), 'another has it').toBe(true)
    await save(other, { removeLogo: 'true' })
    expect([await stored(hash), await stored(await hashOf())]).toEqual([false, true])
  })

  test('other files of the store are no logos, whatever they are called', async () => {
    const hash = await app.files.putBytes(Buffer.from('somebody’s numbers'))
    for (const name of [`${hash}.png`, hash, `${hash}.wav`, '..%2f..%2fsecret', '%00.png'])
      expect((await http.inject({ url: `/api/obd/logo/${name}` })).statusCode).toBeGreaterThanOrEqual(400)
  })

  const octets = 'application/octet-stream'
  const svg = '<?xml version="1.0"?>\n<!-- by hand -->\n<svg xmlns="http://www.w3.org/2000/svg"/>'
  test.each([
    ['a drawing', new File([svg], 'logo.svg', { type: 'image/svg+xml' }), 415, 'image/svg+xml'],
    ['a drawing by the name of a picture', new File([svg], 'logo.png', { type: 'image/png' }), 415, 'image/svg+xml'],
    ['text that says it is a picture', new File(['hello'], 'a.png', { type: 'image/png' }), 415, octets],
    ['text', new File(['hello'], 'a.txt', { type: 'text/plain; charset=utf-8' }), 415, 'text/plain'],
    ['nothing', new File([], 'logo.png', { type: 'image/png' }), 400],
    ['an enormous picture', pictureFile('logo.png', 2400, 20), 400],
    ['too large a file', new File([Buffer.alloc(1024 * 1024 + 1)], 'logo.png'), 413],
  ])('refused: %s', async (_, logo, status, type = '') => {
    const reply = await save(reseller, { logo, company: 'Not saved' })
    expect(reply.statusCode).toBe(status)
    if (status === 415) expect(reply.json()).toMatchObject({ message: `${type} is not a supported format` })
    if (type === 'image/svg+xml')
      expect(errorsOf(reply)[0]?.text).toMatch(/^is an SVG drawing, which can hold a script/)
    if (status !== 413) expect(errorsOf(reply)).toMatchObject([{ field: 'logo' }])
    expect((await ownBrand(reseller)).company).toBe(`Company of ${reseller.username}`)
  })
})

test('the super admin’s own brand is the platform’s; it has no domain', async () => {
  expect((await save(boss, { company: 'Ghanti Nepal', primaryColour: '#123456' })).statusCode).toBe(200)
  expect(await shownAt('anything.example.com')).toMatchObject({ company: 'Ghanti Nepal', primaryColour: '#123456' })
  expect(await ownBrand(boss)).toMatchObject({ company: 'Ghanti Nepal', domain: null })
  expect(errorsOf(await save(boss, { domain: freshDomain() }))).toMatchObject([{ field: 'domain' }])
})

test('it says whether demo accounts exist; while they do, localhost may be somebody’s', async () => {
  const demo = async () => ((await shownAt('calls.example.com')) as Brand & { demo: boolean }).demo
  expect(await demo()).toBe(false)
  await app.db.updateTable('users').set({ is_demo: true }).where('id', '=', reseller.userId).execute()
  expect(await demo()).toBe(true)
  expect((await save(reseller, { domain: 'localhost' })).statusCode).toBe(200)
})

test.each([
  ['no company', { company: '' }, 'company'],
  ['a colour by name', { primaryColour: 'red' }, 'primaryColour'],
  ['a style in the colour', { primaryColour: '#fff;x:y' }, 'primaryColour'],
  ['an address as domain', { domain: '10.0.0.1' }, 'domain'],
])('refused with the field named: %s', async (_, fields, field) => {
  const reply = await save(reseller, fields)
  expect(reply.statusCode).toBe(400)
  expect(errorsOf(reply)).toMatchObject([{ field }])
})
