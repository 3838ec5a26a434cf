import type { FastifyInstance, InjectOptions } from 'fastify'
import type { DeliveryStatus, SmsReportRow } from '@ghanti/contract/sms-campaigns.ts'
import { systemClock } from '../../clock.ts'
import { openPool } from '../../db/pool.ts'
import type { GatewayEvents, SmsGateway } from '../../drivers/sms/driver.ts'
import { httpGateways } from '../../drivers/sms/http/http.ts'
import { smppGateways } from '../../drivers/sms/smpp/smpp.ts'
import { enginePoolOptions } from '../../dispatch/statement.ts'
import type { EngineDb } from '../../voice/testing/fixtures.ts'
import { changeSetting } from '../../modules/platform/actions.ts'
import { defaultCallingHours } from '../../modules/platform/rules-hours.ts'
import { driverSettings, openSecrets } from '../../modules/sms-gateways/rules-settings.ts'
import type { Viewer } from '../../policy.ts'
import { testApp, type TestApp } from '../../testing/app.ts'
import { atEndOfFile } from '../../testing/cleanup.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { testLog } from '../../testing/log.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { startSmsEngine } from '../engine.ts'
import type { GatewayRow } from '../model/snapshot.sql.ts'
import { newRoute, newSmsCampaign, type NewSmsCampaign } from './fixtures.ts'

/** The API, and an engine that sends through real gateways as the API's callers configured them. */
export class GatewaySending {
  readonly app: TestApp
  readonly http: FastifyInstance
  readonly at: EngineDb
  readonly boss: Viewer
  readonly user: Viewer
  #gateways = 0

  private constructor(app: TestApp, http: FastifyInstance, at: EngineDb, boss: Viewer, user: Viewer) {
    this.app = app
    this.http = http
    this.at = at
    this.boss = boss
    this.user = user
  }

  static async open(): Promise<GatewaySending> {
    const app = await testApp()
    const http = await testHttp(app)
    const engine = openPool(
      { connectionString: app.loginUrl, max: 10, name: 'ghanti-engine-test', options: enginePoolOptions },
      () => {},
    )
    const at = { db: app.db, pool: app.pool, url: app.url, engine }
    await app.db.transaction().execute(async (tx) => {
      await changeSetting(tx, 'smsHours', { ...defaultCallingHours, enabled: false }, null)
      await changeSetting(tx, 'smsNumberCaps', { account: 10_000, platform: 10_000 }, null)
    })
    const parent = await newReseller(app, { parent: await newReseller(app) })
    const user = await newUser(app, { parent, rupees: 1000 })
    const drivers = { smpp: gatewayOf(app), http: gatewayOf(app) }
    const sms = startSmsEngine({
      pool: engine,
      drivers,
      files: app.files,
      clock: systemClock,
      log: testLog(),
      engineId: 'test',
      timeScale: 0.005,
    })
    atEndOfFile(async () => {
      await sms.stop()
      await engine.end()
    })
    return new GatewaySending(app, http, at, await newSuperAdmin(app), user)
  }

  async asked(viewer: Viewer, url: string, more: InjectOptions = {}) {
    return this.http.inject({ url, headers: await signedIn(this.app, viewer), ...more })
  }

  /** Made by a super admin; from now on every message goes through it. */
  async gateway(settings: object): Promise<number> {
    const payload = { gatewayName: `Gateway ${++this.#gateways}`, window: 10, tps: 100, ...settings }
    const made = await this.asked(this.boss, '/app/sms/gateway', { method: 'POST', payload })
    if (made.statusCode !== 200) throw new Error(made.body)
    const { gatewayId } = made.json<{ gatewayId: number }>()
    await this.app.pool.query('delete from sms_route_step')
    await this.app.pool.query('delete from sms_route')
    await newRoute(this.at, [{ gatewayId }])
    return gatewayId
  }

  campaign(phones: readonly number[], more: Partial<NewSmsCampaign> = {}): Promise<number> {
    return newSmsCampaign(this.at, { user: this.user, phones, ...more })
  }

  async report(campaignId: number): Promise<SmsReportRow[]> {
    const said = await this.asked(this.user, `/app/sms/campaign/report/${campaignId}`)
    return said.json<{ rows: SmsReportRow[] }>().rows.toSorted((a, b) => a.row - b.row)
  }

  /** By row, in the order of the numbers. */
  async statuses(campaignId: number): Promise<DeliveryStatus[]> {
    return (await this.report(campaignId)).map(({ deliveryStatus }) => deliveryStatus)
  }
}

function gatewayOf({ config }: TestApp): (row: GatewayRow, events: GatewayEvents) => SmsGateway {
  const smpp = smppGateways()
  const http = httpGateways({ loopbackOnly: true, privateHosts: [] })
  return (row, events) => {
    const settings = driverSettings(row, openSecrets(config.secret, row.secrets_sealed), config.publicUrl)
    if (settings.driver === 'smpp') return smpp(settings, events, systemClock)
    if (settings.driver === 'http') return http(settings, events, systemClock)
    throw new Error('a simulated gateway needs no real one')
  }
}
