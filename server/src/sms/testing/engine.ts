import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../clock.ts'
import type { CampaignStatus } from '../../db/tables.ts'
import { testFiles, type TestFiles } from '../../testing/files/test-files.ts'
import type { GatewayEvents, SmsGateway } from '../../drivers/sms/driver.ts'
import { simulatedGateways } from '../../drivers/sms/simulator/simulator.ts'
import type { EngineDb } from '../../voice/testing/fixtures.ts'
import { engineDb } from '../../voice/testing/db.ts'
import { changeSetting } from '../../modules/platform/actions.ts'
import { defaultCallingHours } from '../../modules/platform/rules-hours.ts'
import { testLog } from '../../testing/log.ts'
import type { SmsEngineOptions } from '../gateway/context.ts'
import { startSmsEngine, type SmsEngine } from '../engine.ts'
import type { SmsTickReport } from '../coordinator.ts'
import type { GatewayRow } from '../model/snapshot.sql.ts'
import { atEndOfFile } from '../../testing/cleanup.ts'

/** An engine with simulated gateways in this process. */
export type SmsSending = EngineDb & {
  files: TestFiles
  start(more?: Partial<SmsEngineOptions>): SmsEngine
  tick(satisfies: (report: SmsTickReport) => boolean): Promise<SmsTickReport>
  status(campaignId: number, status: CampaignStatus): Promise<void>
}

/** Opens a simulated gateway as its row says. `submitted` is called for each message handed to it. */
export function simulated(
  speed: number,
  instead: (gateway: SmsGateway, row: GatewayRow) => SmsGateway = (gateway) => gateway,
): (row: GatewayRow, events: GatewayEvents) => SmsGateway {
  const open = simulatedGateways(speed)
  return (row, events) => {
    const { window, tps, fault } = row.settings as { window: number; tps: number; fault: 'unreachable' | null }
    return instead(open({ driver: 'simulator', window, tps, fault }, events, systemClock), row)
  }
}

/** `speed`: of the gateways; `timeScale`: of the engine's waits. */
export async function smsSending(of: { speed: number; timeScale: number }): Promise<SmsSending> {
  const at = await engineDb(10)
  await at.db.transaction().execute(async (tx) => {
    await changeSetting(tx, 'smsHours', { ...defaultCallingHours, enabled: false }, null)
    await changeSetting(tx, 'smsNumberCaps', { account: 10_000, platform: 10_000 }, null)
  })
  const folder = mkdtempSync(join(tmpdir(), 'ghanti-sms-engine-'))
  const files = testFiles(join(folder, 'files'))
  const engines: SmsEngine[] = []
  const waiting = new Set<(report: SmsTickReport) => void>()
  atEndOfFile(async () => {
    for (const engine of engines) await engine.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const tick: SmsSending['tick'] = (satisfies) =>
    new Promise((resolve) => {
      const listener = (report: SmsTickReport): void => {
        if (!satisfies(report)) return
        waiting.delete(listener)
        resolve(report)
      }
      waiting.add(listener)
    })
  return {
    ...at,
    files,
    tick,
    start(more = {}) {
      const engine = startSmsEngine({
        pool: at.engine,
        drivers: { simulator: simulated(of.speed) },
        files,
        clock: systemClock,
        log: testLog(),
        engineId: 'test',
        timeScale: of.timeScale,
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
        (await at.db.selectFrom('sms_campaign').select('status').where('id', '=', campaignId).executeTakeFirstOrThrow())
          .status === status
      while (!(await is())) await tick(() => true)
    },
  }
}

/** Makes this file the base of a campaign that is not yet prepared. */
export async function withFile(
  at: SmsSending,
  campaignId: number,
  csv: string,
  template = 0,
  text = 'Namaste',
): Promise<void> {
  const hash = await at.files.putBytes(Buffer.from(csv))
  await at.pool.query(
    `with file as (update base b set file_hash = $2, rows = $3 from sms_campaign_detail d where d.campaign_id = $1 and b.id = d.base_id)
    update sms_campaign_detail set rows_in_file = null, template = $4, text = $5 where campaign_id = $1`,
    [campaignId, hash, csv.split('\n').length, template, text],
  )
  await at.pool.query('delete from sms_message where campaign_id = $1', [campaignId])
  await at.pool.query('delete from sms_stream where campaign_id = $1', [campaignId])
  await at.pool.query('delete from sms_campaign_count where campaign_id = $1', [campaignId])
  await at.pool.query(`update sms_campaign set uploaded = 0, status = 'processing' where id = $1`, [campaignId])
}
