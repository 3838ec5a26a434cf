// @module-tag exhaustive
// Cheaper: server/src/drivers/sms/smpp/suite.test.ts has what leaves and arrives, server/src/sms/engine.test.ts what becomes of it.
/**
 * `npm start -- --smpp`, as a newcomer has it: a campaign over the API leaves by SMPP, and the message centre's own record agrees letter for letter.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { createInterface } from 'node:readline'
import { demoPassword } from '@ghanti/contract/auth.ts'
import { smsCampaignRoutes } from '@ghanti/contract/sms-campaigns.ts'
import { smsComposeRoutes } from '@ghanti/contract/sms-compose.ts'
import { segmentsOf } from '@ghanti/contract/sms-text.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { smscLog } from './demo/local-smsc.ts'
import { signInOver, type Caller } from './testing/wire.ts'

const main = path.resolve(import.meta.dirname, 'main.ts')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-smpp-demo-'))
const polling = { timeout: 120_000, interval: 200 }
const startMs = 240_000
let server: ChildProcess
let user: Caller

beforeAll(async () => {
  server = spawn(process.execPath, [main, '--smpp', '--empty'], {
    env: { ...process.env, DATA_FOLDER: folder, PORT: '0', WAIT_SCALE: '0.001' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  user = await signInOver(await addressOf(server), 'user', demoPassword)
}, startMs)

afterAll(async () => {
  if (server.exitCode === null) {
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    await ended
  }
  fs.rmSync(folder, { recursive: true, force: true })
})

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('no standard output')
  for await (const line of createInterface({ input: stdout })) {
    const address = /^Ghanti is at (\S+)/.exec(line)?.[1]
    if (!address) continue
    stdout.resume()
    return address
  }
  throw new Error('the server ended before it said where it is')
}

test('a campaign of long Nepali leaves by SMPP, is delivered or refused as its numbers say, and arrives letter for letter', async () => {
  const smsText = 'नमस्ते 🙏🏽 तपाईंको भुक्तानी प्राप्त भयो: ^{}[]~|€\\। '.repeat(3)
  const suffixes = ['20', '21', '22', '01', '02', '03', '11']
  const numbers = suffixes.map((suffix) => `98410012${suffix}`)
  const { campaignId } = await user.ask(smsComposeRoutes.create, {
    campaignName: 'Over SMPP',
    templateId: 0,
    cli: 'HimalBank',
    contactList: numbers.join('\n'),
    smsText,
  })
  const summary = async () => await user.ask(smsCampaignRoutes.summary, { campaignId })
  const outcome = { smsDelivered: 4, smsFailed: 2, smsSubmitted: 6 } // the expired one is neither
  await expect.poll(summary, polling).toMatchObject(outcome)
  const { accepted, messages } = smscLog(path.join(folder, 'smsc-demo'))
  const sent = numbers.filter((number) => !number.endsWith('01')).map((number) => `977${number}`)
  expect(messages.map(({ to }) => to).sort()).toEqual(sent.sort())
  expect(messages.filter(({ text }) => text !== smsText)).toEqual([])
  expect(accepted).toHaveLength(sent.length * segmentsOf(smsText))
})
