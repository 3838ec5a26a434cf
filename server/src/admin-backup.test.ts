import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { newSecret } from './config.ts'
import { testApp } from './testing/app.ts'
import { bareEnvironment } from './testing/processes/own-process.ts'
import { newUser } from './testing/seed.ts'

/** db/backup/backup.test.ts has encrypted backups. */
const exhaustive = { tags: ['exhaustive'] }

const app = await testApp()
await newUser(app)
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-admin-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
const at = (name: string) => path.join(folder, name)
const passphrase = 'correct horse battery'
fs.writeFileSync(at('word'), `${passphrase}\nnot this line\n`)
fs.writeFileSync(at('short'), 'short\n')

async function admin(args: string[], settings: Record<string, string> = {}, input = '') {
  const env = {
    ...bareEnvironment,
    DATABASE_URL: app.url,
    SECRET: newSecret(),
    PUBLIC_URL: 'https://calls.example.com',
    DATA_FOLDER: at('data'),
    ...settings,
  }
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'admin.ts'), ...args], { env, stdio: 'pipe' })
  child.stdin.end(input)
  let said = ''
  let warned = ''
  child.stdout.on('data', (piece) => (said += String(piece)))
  child.stderr.on('data', (piece) => (warned += String(piece)))
  const code = await new Promise<number | null>((ended) => child.once('close', ended))
  return { code, said, warned }
}
const isZip = (name: string) => fs.readFileSync(at(name)).subarray(0, 2).toString() === 'PK'

test('a backup without a passphrase says that whoever gets it can read it', async () => {
  const run = await admin(['backup', at('plain')])
  expect(run.code, run.warned).toBe(0)
  expect(run.said).toContain('NOT encrypted')
  expect(run.warned).toContain('Whoever gets')
  expect(run.warned).toContain('--passphrase-file')
  expect(isZip('plain')).toBe(true)
})

test(
  'the first line of a file encrypts it, else BACKUP_PASSPHRASE; the words are nowhere on the command line',
  exhaustive,
  async () => {
    for (const [name, args, settings] of [
      ['by-file', ['--passphrase-file', at('word')], { BACKUP_PASSPHRASE: 'another one that is long' }],
      ['by-setting', [], { BACKUP_PASSPHRASE: passphrase }],
    ] as const) {
      const run = await admin(['backup', at(name), ...args], settings)
      expect([run.code, run.warned]).toEqual([0, ''])
      expect(run.said).toContain(', encrypted')
      expect(isZip(name)).toBe(false)
      // The passphrase is right; the restore is refused because this database has accounts.
      const restored = await admin(['restore', at(name)], {}, `${passphrase}\n`)
      expect([restored.code, restored.warned]).toMatchObject([1, expect.stringContaining('has accounts')])
    }
  },
)

// db/backup/backup.test.ts has a wrong passphrase; that a short one is refused is a matter of words.
test(
  'a wrong passphrase, none at all, or one that is too short is refused in words',
  { tags: ['exhaustive'] },
  async () => {
    const wrong = await admin(['restore', at('by-file')], {}, 'correct horse batterz\n')
    expect([wrong.code, wrong.warned]).toMatchObject([1, expect.stringContaining('the passphrase is not that of')])
    const none = await admin(['restore', at('by-file')])
    expect([none.code, none.warned]).toMatchObject([1, expect.stringContaining('no answer was typed')])
    const short = await admin(['backup', at('never'), '--passphrase-file', at('short')])
    expect([short.code, short.warned]).toMatchObject([1, expect.stringContaining('at least 12 characters')])
    const missing = await admin(['backup', at('never'), '--passphrase-file', at('missing')])
    expect([missing.code, missing.warned]).toMatchObject([1, expect.stringContaining('missing')])
    const setting = await admin(['backup', at('never')], { BACKUP_PASSPHRASE: 'short' })
    expect([setting.code, setting.warned]).toMatchObject([1, expect.stringContaining('BACKUP_PASSPHRASE: must have')])
    expect(fs.existsSync(at('never'))).toBe(false)
  },
)
