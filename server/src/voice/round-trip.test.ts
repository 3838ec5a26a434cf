/**
 * Who hears what: for each template a campaign over the simulator; what each callee heard is compared with a rendering of their row that is
 * written here once more. With ROUND_TRIP_ROWS=1000 (`npm run bench:round-trip`) a thousand rows a template.
 */
import { createHash } from 'node:crypto'
import { menuWaitSecondsMax } from '@ghanti/contract/templates.ts'
import { afterAll, expect, test } from 'vitest'
import { reservePaisa } from '../modules/voice-compose/rules-estimate.ts'
import { HummingTts } from '../testing/tts.ts'
import { expectSoundFiles, newCampaign, newFixtures, threeLevels } from './testing/fixtures.ts'
import { dialling, instead } from './testing/engine.ts'

const rowsPerTemplate = Number(process.env['ROUND_TRIP_ROWS'] ?? 16)
const at = await dialling({ speed: 20, timeScale: 0.0005 })
/** No call is cut because the machine is slow: at this speed a tenth of a second is two of a call. */
const prices = threeLevels.map(({ pulsePaisa }) => ({ pulseMs: 600_000, pulsePaisa }))
/** As long as a campaign's menu can wait, so that a key is in time although the machine is slow. */
const menuWaitSeconds = menuWaitSecondsMax
const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

/** What is in a sound, by its hash: a prompt's role, or a text as the engine got it. */
const contentOf = new Map<string, string>()
const roles = [
  'welcome',
  'menu',
  'noInput',
  'wrongInput',
  'thanks',
  'optin1',
  'optin2',
  'optout1',
  'optout2',
  'action1',
  'action2',
]
for (const role of [...roles, 'menu1', 'menu2', 'menu3', 'menu4', 'menu5'])
  contentOf.set(hashOf(`sound of ${role}`), role)

class KnownTts extends HummingTts {
  override async synthesise(text: string, language: 'ne' | 'en') {
    const speech = await super.synthesise(text, language)
    contentOf.set(hashOf(speech.wav), `“${text}”`)
    return speech
  }
}

const units =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
const ordinals = new Map([
  ['one', 'first'],
  ['two', 'second'],
  ['three', 'third'],
  ['five', 'fifth'],
  ['eight', 'eighth'],
  ['nine', 'ninth'],
  ['twelve', 'twelfth'],
])
const months = 'January February March April May June July August September October November December'.split(' ')

function count(n: number): string {
  if (n < 20) return units[n] ?? ''
  if (n < 100) return `${tens[Math.floor(n / 10)]}${n % 10 ? `-${units[n % 10]}` : ''}`
  for (const [size, word] of [
    [100_000, 'lakh'],
    [1000, 'thousand'],
    [100, 'hundred'],
  ] as const)
    if (n >= size) return `${count(Math.floor(n / size))} ${word}${n % size ? ` ${count(n % size)}` : ''}`
  return ''
}
function ordinal(n: number): string {
  const words = count(n).split('-')
  const last = words.pop() ?? ''
  return [...words, ordinals.get(last) ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`)].join('-')
}
const letters = (n: number): string =>
  String.fromCharCode(65 + (Math.floor(n / 26) % 26)) + String.fromCharCode(97 + (n % 26))

/** A cell of row n and what is to be said of it. */
const cells: Record<string, (n: number) => { cell: string; says: string }> = {
  date: (n) => {
    const day = new Date(Date.UTC(2026, 0, 1 + (n % 700)))
    const year = `two thousand ${count(day.getUTCFullYear() - 2000)}`
    return {
      cell: day.toISOString().slice(0, 10),
      says: `${ordinal(day.getUTCDate())} ${months[day.getUTCMonth()]} ${year}`,
    }
  },
  token: (n) => ({
    cell: String(10_000 + n * 7),
    says: [...String(10_000 + n * 7)].map((digit) => units[Number(digit)]).join(' '),
  }),
  amount: (n) => {
    const [rupees, paisa] = [2 + n * 1371, n % 100]
    const said = `${count(rupees)} rupees${paisa ? ` and ${count(paisa)} paisa` : ''}`
    return { cell: `${rupees}.${String(paisa).padStart(2, '0')}`, says: said }
  },
  client_name: (n) => ({ cell: `Ram ${letters(n)}`, says: `Ram ${letters(n)}` }),
  service_name: (n) => ({ cell: `Wash ${letters(n)}`, says: `Wash ${letters(n)}` }),
  month: (n) => ({ cell: String(1 + (n % 12)), says: months[n % 12] ?? '' }),
}
cells['date1'] = (n) => cells['date']?.(n) ?? { cell: '', says: '' }
cells['date2'] = (n) => cells['date']?.(n + 111) ?? { cell: '', says: '' }
cells['date3'] = (n) => cells['date']?.(n + 222) ?? { cell: '', says: '' }

/**
 * `ask` is heard twice by who says nothing, and up to the key by who presses one; then what `after` has for them. Who presses 9 first hears
 * `again` in between, up to that key. `<x>`: column x.
 */
type Script = {
  id: number
  columns: string[]
  ask: string
  silent: string
  again?: string
  after?: Record<string, string>
}
const again = (menu: string): string => `${menu} ${menu}`
const menusFrom = (first: number): string =>
  [1, 2, 3, 4, 5]
    .slice(first - 1)
    .map((n) => again(`menu${n}`))
    .join(' ')
const scripts: Script[] = [
  { id: 0, columns: [], ask: '', silent: 'welcome' },
  {
    id: 1,
    columns: [],
    ask: 'welcome menu',
    silent: 'welcome menu noInput menu thanks',
    again: 'wrongInput menu',
    after: { 1: 'thanks', 2: 'thanks' },
  },
  { id: 2, columns: [], ask: '', silent: 'welcome menu noInput menu thanks' },
  {
    id: 3,
    columns: ['date', 'token'],
    ask: 'menu1 <date> menu2',
    silent: again('menu1 <date> menu2'),
    after: { 1: 'optin1 <token> optin2' },
  },
  { id: 4, columns: ['date'], ask: 'menu1 <date> menu2', silent: again('menu1 <date> menu2'), after: { 1: 'optin1' } },
  {
    id: 5,
    columns: ['date1', 'date2', 'date3'],
    ask: 'menu1 <date1> menu2',
    silent: again('menu1 <date1> menu2'),
    after: { 1: 'optin1', 2: 'optout1 <date2> optout2', 3: 'action1 <date3> action2' },
  },
  { id: 6, columns: ['amount', 'date'], ask: '', silent: 'menu1 <amount> menu2 <date> menu3' },
  {
    id: 7,
    columns: ['client_name', 'service_name', 'amount', 'month'],
    ask: '',
    silent: 'menu1 <client_name> menu2 <service_name> menu3 <amount> menu4 <month>',
  },
  {
    id: 8,
    columns: [],
    ask: 'welcome menu1',
    silent: `welcome ${menusFrom(1)}`,
    again: 'menu1',
    after: { 1: menusFrom(2), 2: menusFrom(2), 3: menusFrom(2) },
  },
]

const channelOf = new Map<string, string>()
const tts = new KnownTts('round trip')
const driver = instead(at.simulator, (connection) => ({
  dial: (request) => {
    channelOf.set(request.number, request.channelId)
    return connection.dial(request)
  },
}))
const fixtures = await newFixtures(at, { cps: 1000, channels: 400 })
at.start({ telephony: [driver], speech: { db: at.db, files: at.files, tts } })
afterAll(() => void process.stdout.write(`${summaries.join('\n')}\n`))
const summaries: string[] = []

/** Two last digits of the number say what its callee does: 1k presses k, 2k 9 and then k, 00 nothing. */
const rowOf = (script: Script, n: number) => {
  const keys = Object.keys(script.after ?? {})
  const deeds = ['00', ...keys.map((key) => `1${key}`), ...keys.map((key) => `2${key}`)]
  const deed = deeds[n % deeds.length] ?? '00'
  const said = (parts: string): string[] =>
    parts
      .split(' ')
      .filter(Boolean)
      .map((part) => (part.startsWith('<') ? `“${cells[part.slice(1, -1)]?.(n).says}”` : part))
  return { number: `9851${String(n).padStart(4, '0')}${deed}`, deed, said }
}

/** The rest of what was heard behind the beginning of a part of the call that a key cut short. */
function behind(heard: readonly string[], parts: readonly string[]): string[] {
  const same = parts.findIndex((part, at) => heard[at] !== part)
  return heard.slice(same < 0 ? parts.length : same)
}

test.each(scripts)(
  'template $id: each callee hears their own row',
  async (script) => {
    const { user } = fixtures
    const [price] = prices
    if (!price) throw new Error('no price')
    const flow = at.flow(script.id, { speech: { language: 'en', calendar: 'ad' }, menuWaitSeconds })
    const campaignId = await newCampaign(at, {
      user,
      line: fixtures.line,
      phones: [],
      status: 'processing',
      channels: 80,
      prices,
      flow,
      reservePaisa: reservePaisa(flow, price),
    })
    const rows = Array.from({ length: rowsPerTemplate }, (_, n) => rowOf(script, n))
    const lines = rows.map(({ number }, n) =>
      [number, ...script.columns.map((column) => cells[column]?.(n).cell)].join(','),
    )
    const file = await at.files.putBytes(Buffer.from([['mobile', ...script.columns].join(','), ...lines].join('\n')))
    await at.pool.query(
      'update base set file_hash = $2 from campaign_detail d where d.base_id = base.id and d.campaign_id = $1',
      [campaignId, file],
    )
    await at.status(campaignId, 'complete')
    const [{ port, host } = { port: 0, host: '' }] = await at.db
      .selectFrom('dialer')
      .select(['host', 'port'])
      .where('id', '=', fixtures.line.dialerId)
      .execute()
    const control = at.simulator.control({ host, port })
    let right = 0
    for (const { number, deed, said } of rows) {
      const transcript = await control.transcript(channelOf.get(`+977${number}`) ?? '')
      const heard = transcript.flatMap((line) =>
        line.what === 'heard' ? [contentOf.get(line.detail) ?? line.detail] : [],
      )
      const [first, key = ''] = deed
      if (first === '0') expect(heard).toEqual(said(script.silent))
      else {
        const after = said(script.after?.[key] ?? '')
        const before = heard.slice(0, Math.max(0, heard.length - after.length))
        const rest = behind(before, said(script.ask))
        expect(first === '2' ? behind(rest, said(script.again ?? script.ask)) : rest).toEqual([])
        expect(heard.slice(before.length)).toEqual(after)
      }
      right += 1
    }
    summaries.push(
      `template ${script.id}: ${right.toLocaleString('en')} of ${rowsPerTemplate.toLocaleString('en')} heard their own row`,
    )
  },
  600_000,
)

test('and the books are right', () => expectSoundFiles(at))
