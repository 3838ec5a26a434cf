import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, describe, expect, test } from 'vitest'
import { saveBrand } from '../../modules/branding/actions.ts'
import { withFiles } from '../../modules/files/actions.ts'
import { testApp } from '../../testing/app.ts'
import { testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin } from '../../testing/seed.ts'
import { CompressedPages } from './compressed.ts'
import { Console } from './console.ts'

const app = await testApp()
const dist = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-dist-'))
afterAll(() => fs.rmSync(dist, { recursive: true, force: true }))
const script = 'console.log("ghanti");'.repeat(100)
fs.mkdirSync(path.join(dist, 'console'))
fs.mkdirSync(path.join(dist, '.vite'))
const index =
  '<html lang="en"><head><meta name="base-path" content="__BASE_PATH__" /><title>Ghanti</title><link rel="icon" href="/favicon.svg" /><script src="__BASE_PATH__/console/main.js"></script><link rel="stylesheet" crossorigin href="__BASE_PATH__/console/main.css"></head><body><div id="first-frame"><b>Ghanti</b></div><div id="root"></div></body></html>'
const soonOf = (screen: string) => {
  const part = (role: string) => ({
    js: [`console/${screen}-${role}.js`],
    css: [`console/${screen}-${role}.css`],
    data:
      screen === 'home'
        ? ['/api/obd/dashboard/:userId?page=1', '/api/obd/overview/own']
        : ['/api/obd/campaign/:campaignId'],
  })
  return { user: part('user'), reseller: part('reseller'), superAdmin: part('superAdmin') }
}
const files: Record<string, string> = {
  'index.html': index,
  'console/main.js': script,
  'console/summary.js': 'x',
  'favicon.svg': '<svg/>',
  '.vite/manifest.json': '{}',
  'preloads.json': JSON.stringify({
    signedOut: { js: ['console/main.js', 'console/login.js'], css: ['console/main.css'] },
    screens: [
      { path: '/', js: ['console/main.js', 'console/home.js'], css: ['console/main.css'], soon: soonOf('home') },
      {
        path: '/campaign/:campaignId',
        js: ['console/main.js', 'console/summary.js'],
        css: ['console/main.css', 'console/summary.css'],
        soon: soonOf('summary'),
      },
    ],
    fonts: ['console/inter.woff2'],
  }),
}
for (const [name, content] of Object.entries(files)) fs.writeFileSync(path.join(dist, name), content)

const compressed = brotliCompressSync(script)
fs.writeFileSync(path.join(dist, 'console/main.js.br'), compressed)

const http = await testHttp(app, { handlers: {}, console: new Console(dist, '') })
const get = (url: string, headers: Record<string, string> = {}) => http.inject({ url, headers })

test('the bundle comes compressed as asked, for ever; other files for a while', async () => {
  const brotli = await get('/console/main.js', { 'accept-encoding': 'gzip, br' })
  expect(brotli.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  })
  expect(brotli.rawPayload, 'as the build compressed it').toEqual(compressed)
  const page = await get('/', { 'accept-encoding': 'br' })
  expect(brotliDecompressSync(page.rawPayload).toString()).toContain('id="root"')
  expect((await get('/console/main.js.br')).statusCode).toBe(404)
  const gzip = await get('/console/main.js', { 'accept-encoding': 'gzip' })
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(script)
  expect((await get('/console/main.js')).body).toBe(script)
  expect((await get('/favicon.svg')).headers['cache-control']).toBe('public, max-age=300')
})

test('a screen’s page names what that screen needs, each file once', async () => {
  const signedIn = { cookie: 'role=ROLE_USER' }
  const page = await get('/campaign/12/', signedIn)
  expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
  expect(page.body).toContain('<link rel="modulepreload" crossorigin href="/console/summary.js">')
  expect(page.body).toContain('<link rel="stylesheet" crossorigin href="/console/summary.css">')
  expect(page.body.match(/main\.js/g)).toHaveLength(1)
  const asked = page.body.indexOf('href="/api/obd/session"')
  expect(asked, 'asked for before the scripts').toBeLessThan(page.body.indexOf('summary.js'))
  expect(asked).toBeGreaterThan(0)
  expect((await get('/', signedIn)).body).toContain('home.js')
  expect((await get('/')).body).toContain('login.js')
  expect((await get('/any/other', signedIn)).statusCode).toBe(200)
})

test('a screen’s page names what its role sees soon, after all that the first paint needs', async () => {
  const page = await get('/campaign/12', { cookie: 'role=ROLE_ADMIN' })
  const script = page.body.indexOf(
    '<link rel="modulepreload" crossorigin fetchpriority="low" href="/console/summary-reseller.js">',
  )
  const style = page.body.indexOf(
    '<link rel="preload" as="style" crossorigin fetchpriority="low" href="/console/summary-reseller.css">',
  )
  expect(script).toBeGreaterThan(page.body.indexOf('summary.js'))
  expect(style).toBeGreaterThan(page.body.indexOf('inter.woff2'))
  expect(page.body, 'what other roles see').not.toContain('summary-user')
  expect((await get('/')).body, 'signed out').not.toContain('home-')
})

test('the frame of the page comes before its styles, in the colours that were chosen', async () => {
  const chosen = await get('/', { cookie: 'role=ROLE_USER; scheme=dark' })
  expect(chosen.body).toContain('<html lang="en" data-mantine-color-scheme="dark">')
  const order = ['id="first-frame"', 'rel="stylesheet"', 'id="root"'].map((part) => chosen.body.indexOf(part))
  expect(order, 'Mantine’s own styles, in the root, come last').toEqual(order.toSorted((a, b) => a - b))
  expect(chosen.body.match(/main\.css/g)).toHaveLength(1)
  expect((await get('/', { cookie: 'scheme="><script>' })).body).toContain('<html lang="en" data-page="signed-out">')
})

test('a signed-in visitor’s page asks for what it shows first, and says for whom', async () => {
  const firstOf = async (url: string, cookie: string) => (await get(url, { cookie })).headers.link
  const said = '; rel=preload; as=fetch; crossorigin'
  const cookie = 'role=ROLE_USER; userId=5'
  expect(await firstOf('/', cookie)).toBe(
    `</api/obd/dashboard/5?page=1>${said}, </api/obd/overview/own?pageOwner=5>${said}`,
  )
  expect((await get('/', { cookie })).body).toContain(
    '<meta name="early" content="/api/obd/dashboard/:userId?page=1 /api/obd/overview/own">',
  )
  expect(await firstOf('/campaign/1%22%3E2', cookie)).toBe(`</api/obd/campaign/1%22%3E2?pageOwner=5>${said}`)
  expect(await firstOf('/?page=2', cookie)).toBeUndefined()
  for (const userId of ['', '5"><script>', '-1'])
    expect(await firstOf('/', `role=ROLE_USER; userId=${userId}`)).toBeUndefined()
  expect(await firstOf('/', 'userId=5')).toBeUndefined()
})

test('a signed-in visitor’s page asks who they are at once, a stranger’s asks nothing', async () => {
  const asked = '<link rel="preload" as="fetch" crossorigin href="/api/obd/session">'
  expect((await get('/', { cookie: 'role=ROLE_USER' })).body).toContain(asked)
  expect((await get('/')).body).not.toContain('as="fetch"')
})

test('a page comes compressed, too', async () => {
  const { rawPayload, headers } = await get('/', { 'accept-encoding': 'br' })
  expect([headers['content-encoding'], headers.vary]).toEqual(['br', 'cookie, accept-encoding'])
  expect(brotliDecompressSync(rawPayload).toString()).toContain('id="root"')
})

test('a page that was sent before is not compressed again, whoever asks, and few are kept', async () => {
  const pages = new CompressedPages(3)
  const first = await pages.of(index, 'br')
  expect(await pages.of(`${index}`, 'br')).toBe(first)
  expect(brotliDecompressSync(first).toString()).toBe(index)
  expect(gunzipSync(await pages.of(index, 'gzip')).toString()).toBe(index)
  await Promise.all([1, 2, 3].map((n) => pages.of(`${n}`, 'gzip')))
  expect(await pages.of(index, 'br'), 'the one asked for longest ago goes').not.toBe(first)
})

describe('whose console it is', () => {
  const brand = { company: 'Voice "$&" </title><script>', logoUrl: '/api/obd/logo/0.png', primaryColour: '#0b7a75' }
  const escaped = 'Voice &#34;$&#38;&#34; &#60;/title&#62;&#60;script&#62;'
  const visitor = { role: null, userId: null, scheme: null }
  const pageOf = (folder: string) => new Console(dist, folder).page('/', visitor, { ...brand, demo: false })

  test('the page has its title and logo from the first byte, and markup in a name is text', () => {
    expect(pageOf('')).toContain(`<title>${escaped}</title><link rel="icon" href="/api/obd/logo/0.png">`)
    expect(pageOf('')).toContain(`<div id="first-frame"><b>${escaped}</b></div>`)
    expect(pageOf('')).not.toContain('<script>')
    expect(pageOf('/build')).toContain('<link rel="icon" href="/build/api/obd/logo/0.png">')
  })

  test('by the host that a trusted proxy names, by nobody else’s word', async () => {
    const reseller = await newReseller(app)
    const owner = await newSuperAdmin(app)
    const ctx = { app, viewer: owner, origin: { ip: '127.0.0.1', host: 'localhost', userAgent: 'test' } }
    const change = { userId: reseller.userId, domain: 'voice.example.com', company: 'Himal Voice' }
    await withFiles(app, (tx) => saveBrand(tx, ctx, change))
    const titleAt = async (server: FastifyInstance, headers: Record<string, string>) =>
      /<title>(.*)<\/title>/.exec((await server.inject({ url: '/', headers })).body)?.[1]
    expect(await titleAt(http, { host: 'Voice.example.com:8443' })).toBe('Himal Voice')
    expect(await titleAt(http, { host: 'other.example.com' })).toBe('Ghanti')
    const forwarded = { host: 'other.example.com', 'x-forwarded-host': 'voice.example.com' }
    expect(await titleAt(http, forwarded)).toBe('Ghanti')
    for (const [proxy, title] of [
      ['127.0.0.1', 'Himal Voice'],
      ['10.9.9.9', 'Ghanti'],
    ] as const) {
      const config = { ...app.config, trustProxy: [proxy] }
      const behind = await testHttp({ ...app, config }, { handlers: {}, console: new Console(dist, '') })
      expect(await titleAt(behind, forwarded), proxy).toBe(title)
    }
  })
})

test('a path that is no screen is not answered with one', async () => {
  for (const url of [
    '/console/gone.js',
    '/api/obd/nothing',
    '/reports/x',
    '/index.html',
    '/preloads.json',
    '/.vite/manifest.json',
    '/..%2f..%2fpackage.json',
    '/%',
  ])
    expect([url, (await get(url)).statusCode]).toEqual([url, url === '/%' ? 400 : 404])
})

test('below BASE_PATH every address begins with it, and the root leads there', async () => {
  const config = { ...app.config, basePath: '/build' }
  const based = await testHttp({ ...app, config }, { handlers: {}, console: new Console(dist, '/build') })
  const page = await based.inject({ url: '/build/login' })
  expect(page.body).toContain('content="/build"')
  expect(page.body).toContain('src="/build/console/main.js"')
  expect((await based.inject({ url: '/build/console/main.js' })).body).toBe(script)
  const root = await based.inject({ url: '/login?next=1' })
  expect([root.statusCode, root.headers.location]).toEqual([302, '/build/login?next=1'])
})
