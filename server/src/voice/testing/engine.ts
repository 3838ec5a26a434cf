import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Flow } from '@ghanti/callflow/flow.ts'
import { templateById } from '@ghanti/callflow/registry.ts'
import type { FlowInput, PlainRole, PromptRole } from '@ghanti/callflow/template.ts'
import { consultancyKeys, promptTypes } from '@ghanti/contract/templates.ts'
import type { Pool } from 'pg'
import type { Db } from '../../db/db.ts'
import type { CampaignStatus } from '../../db/tables.ts'
import { testFiles, type TestFiles } from '../../testing/files/test-files.ts'
import { espeakTts } from '../../drivers/tts/espeak.ts'
import type { DialerAddress, DialerConnection, TelephonyDriver } from '../../drivers/telephony/driver.ts'
import { createSimulator, type Simulator } from '../../drivers/telephony/simulator/simulator.ts'
import { defaultCallingHours } from '../../modules/platform/rules-hours.ts'
import { changeSetting } from '../../modules/platform/actions.ts'
import { settings, type Setting } from '../../modules/platform/rules.ts'
import { testClock, type TestClock } from '../../testing/app.ts'
import { testLog } from '../../testing/log.ts'
import { virtualTime } from '../../testing/virtual-time.ts'
import { startEngine, type Engine, type EngineOptions } from '../engine.ts'
import type { TickReport } from '../scheduler/tick-report.ts'
import type { EngineDb } from './fixtures.ts'
import { engineDb } from './db.ts'
import { atEndOfFile } from '../../testing/cleanup.ts'

/** An engine over a simulated network, both in this process. */
export type Dialling = EngineDb & {
  /** What credentials are sealed with. */
  secret: Buffer
  simulator: Simulator
  files: TestFiles
  clock: TestClock
  /** The prompts of its flows exist. */
  flow(templateId: number, more?: Partial<FlowInput>): Flow
  start(more?: Partial<EngineOptions>): Engine
  tick(satisfies: (report: TickReport) => boolean): Promise<TickReport>
  status(campaignId: number, status: CampaignStatus): Promise<void>
}

/** The simulator, where some of what its connections do is another's. */
export function instead(
  simulator: Pick<TelephonyDriver, 'connect'>,
  of: (connection: DialerConnection, address: DialerAddress) => Partial<DialerConnection>,
): TelephonyDriver {
  return {
    name: 'simulator',
    async connect(address) {
      const connection = await simulator.connect(address)
      const others = of(connection, address)
      return new Proxy(connection, {
        get(target, key) {
          const value: unknown = Reflect.get(others, key) ?? Reflect.get(target, key)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
    },
  }
}

/** The engine's pool, where statements of a name are carried out like this; `values` may be changed before they are sent. */
export function poolWith(
  { engine }: EngineDb,
  name: string,
  carryOut: (send: () => unknown, values: unknown[]) => unknown,
): Pool {
  const query = (statement: { name?: string; values?: unknown[] }, ...rest: unknown[]): unknown => {
    const send = (): unknown => Reflect.apply(engine.query, engine, [statement, ...rest])
    return statement.name === name ? carryOut(send, statement.values ?? []) : send()
  }
  return new Proxy(engine, {
    get(of, key) {
      if (key === 'query') return query
      const value: unknown = Reflect.get(of, key)
      return typeof value === 'function' ? value.bind(of) : value
    },
  })
}

const plainMs: Record<PlainRole, number> = { welcome: 2000, menu: 5000, noInput: 1500, wrongInput: 1700, thanks: 900 }
const isPlain = (role: PromptRole): role is PlainRole => role in plainMs
const promptMs = (role: PromptRole): number => (isPlain(role) ? plainMs[role] : 1000)

/** Makes flows whose prompts are stored. */
export async function flowsOver(files: TestFiles): Promise<Dialling['flow']> {
  const hashes = new Map<PromptRole, string>()
  for (const role of ['welcome', 'menu', 'noInput', 'wrongInput', 'thanks', ...promptTypes] as const)
    hashes.set(role, await files.putBytes(Buffer.from(`sound of ${role}`)))
  return (templateId, more = {}) => {
    const template = templateById.get(templateId)
    if (!template) throw new Error(`no template ${templateId}`)
    const prompts: FlowInput['prompts'] = {}
    for (const role of [...template.required, ...template.optional])
      prompts[role] = { kind: 'prompt', promptId: 1, durationMs: promptMs(role), hash: hashes.get(role) ?? '' }
    const input = {
      prompts,
      keys: ['1', '2'],
      menuKeys: consultancyKeys,
      menuWaitSeconds: 4,
      rePrompts: 1,
      agents: [],
      speech: { language: 'ne', calendar: 'bs' },
    } as const
    return template.build({ ...input, ...more })
  }
}

export async function dialAtAnyHour({ db }: EngineDb): Promise<void> {
  await db.deleteFrom('platform_setting').execute()
  const value = JSON.stringify({ ...defaultCallingHours, enabled: false })
  await db.insertInto('platform_setting').values({ key: settings.callingHours.key, value }).execute()
  await setNumberCaps({ db }, { answered: 10_000, attempted: 10_000, platform: 10_000 }) // tests call the same numbers again and again
}

export async function setNumberCaps({ db }: { db: Db }, caps: Setting<'numberCaps'>): Promise<void> {
  await db.transaction().execute((tx) => changeSetting(tx, 'numberCaps', caps, null))
}

/**
 * `speed`: of the calls; `timeScale`: of the engine's waits. `at`: the database, if it is to be a certain one. `inRealTime`: something that the test
 * waits for is outside of this process, or the database's clock decides when it comes.
 */
export async function dialling(of: {
  speed: number
  timeScale: number
  logLevel?: string
  at?: EngineDb
  inRealTime?: boolean
}): Promise<Dialling> {
  if (!of.inRealTime) virtualTime({ runs: true })
  const at = of.at ?? (await engineDb(8))
  await dialAtAnyHour(at)
  const folder = mkdtempSync(join(tmpdir(), 'ghanti-engine-'))
  const files = testFiles(join(folder, 'files'))
  const secret = randomBytes(32)
  const simulator = createSimulator({ recordFolder: join(folder, 'record'), speed: of.speed, keepTranscripts: true })
  const tts = espeakTts()
  const flow = await flowsOver(files)
  const clock = testClock()
  const engines: Engine[] = []
  const log = testLog()
  const waiting = new Set<(report: TickReport) => void>()
  atEndOfFile(async () => {
    for (const engine of engines) await engine.stop({ drainMs: 0 })
    simulator.close()
    await tts.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const tick: Dialling['tick'] = (satisfies) =>
    new Promise((resolve) => {
      const listener = (report: TickReport): void => {
        if (!satisfies(report)) return
        waiting.delete(listener)
        resolve(report)
      }
      waiting.add(listener)
    })
  return {
    ...at,
    secret,
    simulator,
    files,
    clock,
    tick,
    flow,
    start(more = {}) {
      const { timeScale } = of
      const telephony = [simulator]
      const engine = startEngine({
        pool: at.engine,
        telephony,
        files,
        speech: { db: at.db, files, tts },
        dialerSettings: { secret, mediaFolder: join(folder, 'media') },
        clock,
        log,
        engineId: 'test',
        timeScale,
        ...more,
      })
      engine.reports.on('tick', (report) => {
        for (const listener of waiting) listener(report)
      })
      engines.push(engine)
      return engine
    },
    async status(campaignId, status) {
      const is = async () =>
        (await at.db.selectFrom('campaign').select('status').where('id', '=', campaignId).executeTakeFirstOrThrow())
          .status === status
      while (!(await is())) await tick(() => true)
    },
  }
}
