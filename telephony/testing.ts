/** What tests of whole campaigns over SIP need: a database, their own dialer, SIPp as the operator and its agents, prompts with sound. */
import { espeakTts } from '../server/src/drivers/tts/espeak.ts'
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import type { Flow } from '@ghanti/callflow/flow.ts'
import { templateById } from '@ghanti/callflow/registry.ts'
import type { FlowInput, PlainRole } from '@ghanti/callflow/template.ts'
import { systemClock } from '../server/src/clock.ts'
import { testFiles, type TestFiles } from '../server/src/testing/files/test-files.ts'
import { asteriskDriver } from '../server/src/drivers/telephony/asterisk/asterisk.ts'
import { ownDialer } from '../server/src/drivers/telephony/asterisk/testing.ts'
import { startEngine, type Engine } from '../server/src/voice/engine.ts'
import { newFixtures, type EngineDb, type Fixtures } from '../server/src/voice/testing/fixtures.ts'
import { engineDb } from '../server/src/voice/testing/db.ts'
import { dialAtAnyHour } from '../server/src/voice/testing/engine.ts'
import { ariSecretPurpose } from '../server/src/modules/dialers/rules-secrets.ts'
import { seal } from '../server/src/lib/secrets.ts'
import { testLog } from '../server/src/testing/log.ts'
import { ringingShorter } from '../server/src/testing/ringing-shorter.ts'
import { toneFile } from '../server/src/testing/files/sound.ts'
import { startExchange } from './sipp/exchange.ts'
import { startSipp, type Sipp } from './sipp/sipp.ts'
import { atEndOfFile } from '../server/src/testing/cleanup.ts'
import { until } from '../server/src/testing/until.ts'

export type SipBench = EngineDb & {
  files: TestFiles
  filesFolder: string
  mediaFolder: string
  secret: Buffer
  sipp: Sipp
  /** Where a trunk finds both SIPps; numbers of agents go to the second. */
  exchange: { host: string; port: number }
  own: Awaited<ReturnType<typeof ownDialer>>
  flow(templateId: number, more?: Partial<FlowInput>): Flow
  /** Prepared for one user; the dialer is this test's, at `port`. */
  fixtures(of: { cps: number; channels: number; port?: number }): Promise<Fixtures>
  dial(): void
  /** Runs after the last test, before the network and the database end. */
  atEnd(end: () => Promise<void>): void
  /** Waits; when it waited in vain, reports the campaigns' states. */
  until(what: string, holds: () => Promise<boolean>): Promise<void>
}

/** Turns waits of minutes into a second or two. */
export const timeScale = 0.004
/** A ring of 45 s would make the tests long; the number that rings longest and answers takes 8 s. */
export const ringMs = 10_000
/** How much the clocks of dialer and operator may differ, and SIP may take on a busy machine. */
export const skewMs = 4000
const timeoutMs = 150_000
const pollMs = 100

const promptSeconds: Record<PlainRole, number> = { welcome: 3, menu: 4, noInput: 1, wrongInput: 1, thanks: 1 }

/** Only agents' numbers begin this way. */
export const agentNumber = (last: string): string => `+977974000${last.padStart(4, '0')}`
const isAgents = (called: string): boolean => /^\+?977974000/.test(called)

/** `waits`: the factor for the engine's waits of minutes. `settings`: of the dialer, for render.sh. */
export async function sipBench({
  waits = timeScale,
  settings = {},
}: { waits?: number; settings?: Record<string, string> } = {}): Promise<SipBench> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-campaigns-'))
  const ends: (() => Promise<void> | void)[] = [() => fs.rmSync(folder, { recursive: true, force: true })]
  const at = await engineDb(8)
  atEndOfFile(async () => {
    for (const end of ends.toReversed()) await end()
  })
  await dialAtAnyHour(at)
  const sipp = await startSipp(path.join(folder, 'sipp'))
  ends.push(() => sipp.stop())
  const exchange = await startExchange([
    { port: sipp.agents.port, serves: isAgents },
    { port: sipp.operator.port, serves: () => true },
  ])
  ends.push(() => exchange.close())
  const own = await ownDialer(settings)
  ends.push(() => own.remove())
  const filesFolder = path.join(folder, 'files')
  const mediaFolder = path.join(folder, 'media')
  const files = testFiles(filesFolder)
  const secret = randomBytes(32)
  const lines = { secret, exchange, dialer: own.dialer }
  const flow = await flows(files)
  const bench = { ...at, files, filesFolder, mediaFolder, secret, sipp, exchange, own, flow }
  const atEnd = (end: () => Promise<void>): void => void ends.push(end)
  const dial = (): void => {
    const engine = engineOver(bench, waits)
    atEnd(() => engine.stop({ drainMs: 0 }))
  }
  return {
    ...bench,
    dial,
    atEnd,
    fixtures: (of) => newSipFixtures(at, lines, of),
    until: async (what, holds) => {
      await until(what, holds, { timeoutMs, pollMs, story: () => storyOf(at) })
    },
  }
}

function engineOver(at: Pick<SipBench, 'db' | 'engine' | 'files' | 'secret' | 'mediaFolder'>, waits: number): Engine {
  return startEngine({
    pool: at.engine,
    telephony: [ringingShorter(asteriskDriver(), ringMs)],
    files: at.files,
    speech: { db: at.db, files: at.files, tts: espeakTts() },
    dialerSettings: { secret: at.secret, mediaFolder: at.mediaFolder },
    clock: systemClock,
    log: testLog(),
    engineId: 'test',
    timeScale: waits,
  })
}

async function flows(files: TestFiles): Promise<SipBench['flow']> {
  const prompts: FlowInput['prompts'] = {}
  for (const role of ['welcome', 'menu', 'noInput', 'wrongInput', 'thanks'] as const) {
    const sound = Buffer.from(await toneFile(role, promptSeconds[role]).arrayBuffer())
    const hash = await files.putBytes(sound)
    prompts[role] = { kind: 'prompt', promptId: 1, durationMs: promptSeconds[role] * 1000, hash }
  }
  const { welcome, ...ofMenus } = prompts
  return (templateId, more = {}) => {
    const template = templateById.get(templateId)
    if (!template || !welcome) throw new Error(`no template ${templateId}`)
    const input = { prompts: templateId === 0 ? { welcome } : ofMenus, menuWaitSeconds: 2, rePrompts: 1 }
    return template.build({ ...input, keys: ['1', '2', '3', '*'], menuKeys: [], agents: [], speech: null, ...more })
  }
}

type Lines = { secret: Buffer; exchange: { host: string; port: number }; dialer: SipBench['own']['dialer'] }

async function newSipFixtures(at: EngineDb, lines: Lines, of: Parameters<SipBench['fixtures']>[0]): Promise<Fixtures> {
  const fixtures = await newFixtures(at, { cps: of.cps, channels: of.channels })
  const { host, port, user, secret } = lines.dialer
  const sealed = seal(lines.secret, ariSecretPurpose, secret)
  const dialer = { driver: 'asterisk', host, port: of.port ?? port, ari_user: user, ari_secret_sealed: sealed }
  await at.db.updateTable('dialer').set(dialer).where('id', '=', fixtures.line.dialerId).execute()
  const trunk = { sip_host: lines.exchange.host, sip_port: lines.exchange.port }
  await at.db.updateTable('trunk').set(trunk).where('id', '=', fixtures.line.trunkId).execute()
  return fixtures
}

/** How far campaigns, rows and recordings are. */
async function storyOf({ db, pool }: EngineDb): Promise<unknown[]> {
  const campaigns = await db.selectFrom('campaign').select(['status', 'reason', 'hold_cause']).execute()
  const counts = await pool.query('select * from campaign_count')
  const recordings = await pool.query('select attempt_id, next_at, tries, error, given_up_at from recording_due')
  return [campaigns, counts.rows, recordings.rows]
}
