import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Preloads } from '../build/preloads.ts'

/**
 * Fails when a page loads more than its budget before its first paint (gzip, kB = 1000 bytes). Run it after `npm run build`. What a screen
 * fetches later does not count.
 */
const budgets = { login: 140, lists: 188.8, details: 197.5, forms: 199, compose: 245, css: 25, fonts: 50 }
/** Pages of one campaign and of one customer, which draw figures, progress and outcomes. */
const details = new Set(['/voice-campaign-summary/:campaignId', '/customers/:selectedUserId'])
const composing = new Set(['/add-voice-campaign', '/add-sms-campaign'])
/** Forms; every other screen has the lists' budget. */
const forms = new Set([
  '/settings',
  '/add-contact-file',
  '/add-voice-blacklist',
  '/add-cli',
  '/allocate-cli',
  '/upload-cli',
  '/create-user',
  '/update-user/:selectedUserId',
  '/add-voice-files',
  '/add-voice-plan',
  '/branding',
  '/bulk-voice-blacklist',
  '/calling-hours',
  '/reports-by-mail',
  '/create-dialer',
  '/create-gateway',
  '/create-trunk',
  '/stop-dialling',
  '/update-dialer/:selectedDialerId',
  '/update-gateway/:selectedGatewayId',
  '/update-trunk/:selectedTrunkId',
  '/user-profile',
  '/voice-blacklist',
])

const dist = join(import.meta.dirname, '../dist')
const preloads = JSON.parse(await readFile(join(dist, 'preloads.json'), 'utf8')) as Preloads

const gzipped = new Map<string, number>()
async function sizeOf(files: readonly string[], compressed = false): Promise<number> {
  let bytes = 0
  for (const file of files) {
    const content = await readFile(join(dist, file))
    const size = gzipped.get(file) ?? (compressed ? content.length : gzipSync(content).length)
    gzipped.set(file, size)
    bytes += size
  }
  return bytes / 1000
}

function budgetOf(path: string): number {
  if (composing.has(path)) return budgets.compose
  if (details.has(path)) return budgets.details
  return forms.has(path) ? budgets.forms : budgets.lists
}

const pages = [
  { page: 'login', budget: budgets.login, ...preloads.signedOut },
  ...preloads.screens.map(({ path, js, css }) => ({
    page: path,
    budget: budgetOf(path),
    js,
    css,
  })),
]

let over = 0
function report(what: string, size: number, budget: number): void {
  const within = size <= budget
  if (!within) over += 1
  process.stdout.write(`${within ? '  ' : 'X '}${what.padEnd(48)}${size.toFixed(1).padStart(7)} of ${budget} kB\n`)
}

for (const { page, budget, js, css } of pages) {
  report(`${page}: JS`, await sizeOf(js), budget)
  report(`${page}: CSS`, await sizeOf(css), budgets.css)
}
report('every English page: fonts', await sizeOf(preloads.fonts, true), budgets.fonts)
if (over > 0) process.exitCode = 1
