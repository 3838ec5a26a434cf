import { ownValue } from '@ghanti/contract/own-values.ts'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { authRoutes } from '@ghanti/contract/auth.ts'
import type { Branding } from '@ghanti/contract/branding.ts'
import { roleOfWire, type Role } from '@ghanti/contract/roles.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { escapeMarkup } from '../../lib/escape-markup.ts'
import { withoutTrailingSlashes } from '../../lib/trailing-slashes.ts'
import { CompressedPages, encodingOf, sendCompressed, type Asset } from './compressed.ts'

const dist = path.resolve(import.meta.dirname, '../../../../web/dist')

const Loads = z.object({ js: z.array(z.string()), css: z.array(z.string()) })
const Soon = z.object({ ...Loads.shape, data: z.array(z.string()) })
/** What web/build/preloads.ts wrote: the files that a page needs before it can be painted. */
const Preloads = z.object({
  signedOut: Loads,
  screens: z.array(
    z.object({ path: z.string(), ...Loads.shape, soon: z.object({ user: Soon, reseller: Soon, superAdmin: Soon }) }),
  ),
  fonts: z.array(z.string()),
})
type Preloads = z.output<typeof Preloads>

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
}
/** The extensions of the files that the build compressed (web/build/compressed.ts). */
const compressedEnding = '.br'

/** What the cookies say of the visitor. `role` null: signed out. `userId` null: its page asks for nothing early. `scheme` null: the visitor chose none, so the system's applies. */
type Visitor = { role: Role | null; userId: string | null; scheme: 'light' | 'dark' | null }

/** The built console in memory: a few MB, compressed by the build or, failing that, at the first request. */
export class Console {
  #assets = new Map<string, Asset>()
  #index = ''
  #preloads: Preloads
  #basePath: string

  /** Null when the console has not been built. */
  static read(basePath: string, folder = dist): Console | null {
    return fs.existsSync(path.join(folder, 'index.html')) ? new Console(folder, basePath) : null
  }

  constructor(folder: string, basePath: string) {
    this.#basePath = basePath
    for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const file = path.join(entry.parentPath, entry.name)
      const name = path.relative(folder, file).split(path.sep).join('/')
      if (name.startsWith('.') || name.endsWith(compressedEnding)) continue
      const type = ownValue(types, path.extname(name)) ?? 'application/octet-stream'
      const encoded = new Map<string, Promise<Buffer>>()
      if (fs.existsSync(file + compressedEnding))
        encoded.set('br', Promise.resolve(fs.readFileSync(file + compressedEnding)))
      this.#assets.set(name, { bytes: fs.readFileSync(file), type, encoded })
    }
    this.#index = this.#take('index.html').replaceAll('__BASE_PATH__', basePath)
    this.#preloads = Preloads.parse(JSON.parse(this.#take('preloads.json')))
  }

  #take(name: string): string {
    const asset = this.#assets.get(name)
    if (!asset) throw new Error(`the console's build lacks ${name}`)
    this.#assets.delete(name)
    return asset.bytes.toString('utf8')
  }

  /**
   * The page of a screen: index.html with the names of this screen's files, so that the browser fetches them at once, and with the brand, so that a
   * visitor sees the company's own from the start. `brand` null: the server could not look it up, so the page asks for it.
   */
  page(pathname: string, { role, scheme }: Visitor, brand: Branding | null): string {
    const signedIn = role !== null
    const screen = signedIn ? this.#preloads.screens.find((line) => matches(line.path, pathname)) : undefined
    const { js, css } = screen ?? this.#preloads.signedOut
    const at = (file: string) => `${this.#basePath}/${file}`
    const head: string[] = []
    // This comes first, because a browser that fetches six files at a time would otherwise request it last.
    if (signedIn)
      head.push(`<link rel="preload" as="fetch" crossorigin href="${this.#basePath}${authRoutes.session.path}">`)
    for (const file of js)
      if (!this.#index.includes(file)) head.push(`<link rel="modulepreload" crossorigin href="${at(file)}">`)
    // Until the font arrives, text shows in the system's font, so the files needed to show any text come first.
    for (const file of this.#preloads.fonts)
      head.push(`<link rel="preload" as="font" type="font/woff2" crossorigin fetchpriority="low" href="${at(file)}">`)
    // Shown at once, too, but not needed for the first paint.
    if (screen && role) {
      const soon = screen.soon[role]
      if (soon.data.length > 0) head.push(`<meta name="early" content="${escapeMarkup(soon.data.join(' '))}">`)
      for (const file of soon.css)
        head.push(`<link rel="preload" as="style" crossorigin fetchpriority="low" href="${at(file)}">`)
      for (const file of soon.js)
        head.push(`<link rel="modulepreload" crossorigin fetchpriority="low" href="${at(file)}">`)
    }
    if (brand) head.push(`<meta name="brand" content="${escapeMarkup(JSON.stringify(brand))}">`)
    // Styles in the head would delay the frame at the start of the body. They must still precede what Mantine writes into the root.
    const styles = css.map((file) => `<link rel="stylesheet" crossorigin href="${at(file)}">`)
    const attributes = `${signedIn ? '' : ' data-page="signed-out"'}${scheme === null ? '' : ` data-mantine-color-scheme="${scheme}"`}`
    const page = this.#index
      .replace(/<link rel="stylesheet"[^<>]*>\s*/g, '')
      .replace('<html lang="en"', () => `<html lang="en"${attributes}`)
      .replace('</head>', () => `${head.join('')}</head>`)
      .replace('<div id="root">', () => `${styles.join('')}<div id="root">`)
    return brand ? branded(page, brand, this.#basePath) : page
  }

  /**
   * The header by which the browser sends the screen's first requests before any script has come; <meta name="early"> tells the scripts of them. Not in the
   * page, which is compressed once for all visitors. A request that does not name the account says whose page asks, as the page itself does in a header.
   */
  firstRequests(pathname: string, { role, userId }: Visitor): string | null {
    const screen = this.#preloads.screens.find((line) => matches(line.path, pathname))
    if (!screen || role === null || userId === null || screen.soon[role].data.length === 0) return null
    const parts = pathname.split('/')
    const given = new Map(screen.path.split('/').map((part, i) => [part, parts[i] ?? '']))
    given.set(':userId', userId)
    const links = screen.soon[role].data.map((path) => {
      const address = path.replace(/:\w+/g, (name) => encodeURIComponent(given.get(name) ?? ''))
      const owned = path.includes(':userId') ? address : `${address}?pageOwner=${userId}`
      return `<${this.#basePath}${owned}>; rel=preload; as=fetch; crossorigin`
    })
    return links.join(', ')
  }

  async send(name: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | null> {
    const asset = this.#assets.get(name)
    if (!asset) return null
    const forever = name.startsWith('console/') // their names change with their content
    reply.header('cache-control', forever ? 'public, max-age=31536000, immutable' : 'public, max-age=300')
    return sendCompressed(asset, request, reply)
  }
}

function branded(page: string, { company, logoUrl }: Branding, basePath: string): string {
  const titled = page
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeMarkup(company)}</title>`)
    .replace('<b>Ghanti</b>', () => `<b>${escapeMarkup(company)}</b>`)
  if (logoUrl === null) return titled
  return titled.replace(/<link rel="icon"[^<>]*>/, () => `<link rel="icon" href="${escapeMarkup(basePath + logoUrl)}">`)
}

/** Whether a pattern such as '/campaign/:campaignId' matches a path such as '/campaign/12'. */
function matches(pattern: string, pathname: string): boolean {
  const wanted = pattern.split('/')
  const parts = pathname.split('/')
  return wanted.length === parts.length && wanted.every((part, i) => part.startsWith(':') || part === parts[i])
}

type ConsoleOptions = {
  console: Console
  basePath: string
  /** Whose console the visitor's host name shows. Null when that cannot be looked up at the moment. */
  brandOf: (request: FastifyRequest) => Promise<Branding | null>
}

/** Any path that is neither a file nor part of the API is a screen, which the router in the browser resolves. */
export function consoleRoutes(http: FastifyInstance, { console, basePath, brandOf }: ConsoleOptions): void {
  http.get('/*', async (request, reply) => {
    const pathname = decodeURI(request.url.split('?')[0] ?? '/')
    const sent = await console.send(pathname.slice(1), request, reply)
    if (sent) return sent
    if (/^\/(api|app|assets|reports|rec|console)\//.test(pathname) || path.extname(pathname) !== '')
      return reply.callNotFound()
    if (basePath !== '' && !request.originalUrl.startsWith(`${basePath}/`))
      return reply.redirect(`${basePath}${request.url}`)
    const trimmed = withoutTrailingSlashes(pathname) || '/'
    reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').header('vary', 'cookie, accept-encoding')
    const visitor = visitorOf(request)
    const first = console.firstRequests(trimmed, visitor)
    if (first !== null) reply.header('link', first)
    const brand = await brandOf(request)
    return sendPage(console.page(trimmed, visitor, brand), request, reply)
  })
}

function visitorOf({ url, cookies: { role, userId, scheme } }: FastifyRequest): Visitor {
  return {
    // By a query the page may ask for something else first.
    userId: userId !== undefined && /^\d{1,15}$/.test(userId) && !url.includes('?') ? userId : null,
    role: role === undefined ? null : (ownValue(roleOfWire, role) ?? 'user'),
    scheme: scheme === 'light' || scheme === 'dark' ? scheme : null,
  }
}

const pages = new CompressedPages()

/** The page contains no secrets, so its compressed length cannot leak one. */
async function sendPage(page: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const encoding = encodingOf(request)
  if (encoding === null) return reply.send(page)
  return reply.header('content-encoding', encoding).send(await pages.of(page, encoding))
}
