import * as fs from 'node:fs/promises'
import * as os from 'node:os'
import * as path from 'node:path'
import { addDays } from '@ghanti/contract/days.ts'
import { nepalDayOf } from '@ghanti/contract/time.ts'
import { randomOf, type Random } from '../../lib/random.ts'
import { uploadBase } from '../../modules/contacts/actions.ts'
import type { App } from '../../app.ts'
import type { Viewer } from '../../policy.ts'
import { demoOrigin } from '../origin.ts'
import { amounts, clients, familyNames, givenNames, places, tokens } from './people.ts'
import { files, owners, type FileKey, type FilePlan } from './plan.ts'

/** First digits of mobile numbers, by the share of their operators. */
const prefixes = ['980', '984', '981', '985', '986', '980', '984', '961'] as const
/** How many numbers end otherwise than in these, of which the simulator knows what becomes of a call. */
const ordinaryFrom = 50

const one = <T>(of: readonly [T, ...T[]], random: Random): T => of[Math.floor(random() * of.length)] ?? of[0]

/** The bytes of a contact file. Numbers are of one file alone, and the simulator's people answer them. */
function contactFile(key: FileKey, seed: number, today: string): string {
  const { owner, rows, columns }: FilePlan & { owner: string } = files[key]
  const random = randomOf(seed, `contacts ${key}`)
  const place = owners.findIndex((name) => name === owner) * 20 + Object.keys(files).indexOf(key)
  const lines = Array.from({ length: rows }, (_, n) => {
    const person = `${one(givenNames, random)} ${one(familyNames, random)}`
    const value: Record<FilePlan['columns'][number], string> = {
      name: person,
      client_name: one(clients, random),
      place: one(places, random),
      amount: one(amounts, random),
      date: addDays(today, 4),
      date1: addDays(today, 4),
      date2: addDays(today, 11),
      date3: addDays(today, 18),
      token: one(tokens, random),
      service_name: 'Servicing',
      month: '12',
    }
    const ending = ordinaryFrom + (n % 50)
    const middle = String(place * 100 + Math.floor(n / 50)).padStart(4, '0')
    const mobile = `${prefixes[n % prefixes.length]}0${middle}${ending}`
    return [mobile, ...columns.map((column) => value[column])].join(',')
  })
  return [['mobile', ...columns].join(','), ...lines, ''].join('\r\n')
}

export async function uploadContacts(app: App, viewer: Viewer, key: FileKey, seed: number): Promise<number> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'ghanti-demo-'))
  try {
    const file = path.join(folder, 'contacts.csv')
    const text = contactFile(key, seed, nepalDayOf(app.clock.now()))
    await fs.writeFile(file, text)
    const staged = { path: file, size: Buffer.byteLength(text), fileName: `${key}.csv`, declaredType: 'text/csv' }
    return (await uploadBase({ app, viewer, origin: demoOrigin }, files[key].name, staged)).baseId
  } finally {
    await fs.rm(folder, { recursive: true, force: true })
  }
}
