/** Starts everything: settings, database, demo data on a first start, then the parts that ROLES names, until SIGTERM. */
import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { pino, type Logger } from 'pino'
import type { App } from './app.ts'
import { superviseAsterisk } from './demo/asterisk-supervisor.ts'
import { buildConsoleIfStale } from './build-console.ts'
import { systemClock } from './clock.ts'
import { readConfig, type Config } from './config.ts'
import { openJobs } from './db/jobs/jobs.ts'
import type { Db } from './db/db.ts'
import { excessOf } from './db/schema/login.ts'
import { migrate, requireSchema } from './db/schema/migrate.ts'
import { holdAlone, openDatabase } from './db/open.ts'
import { kyselyOver, openPool, requestPoolOptions } from './db/pool.ts'
import { Replica } from './db/servers/replica.ts'
import { demoLogins, makeDemo } from './demo/demo.ts'
import { useAsterisk, useSimulatedGateway, useSimulator, useSmpp } from './demo/demo-network.ts'
import { httpAddresses } from './drivers/addresses/http.ts'
import { localFiles } from './drivers/files/local.ts'
import type { MailDriver, Mailbox } from './drivers/mail/driver.ts'
import { developmentMailbox } from './drivers/mail/mailbox.ts'
import { smtpMail } from './drivers/mail/smtp.ts'
import type { TelephonyDriver } from './drivers/telephony/driver.ts'
import { asteriskDriver } from './drivers/telephony/asterisk/asterisk.ts'
import { createSimulatorClient } from './drivers/telephony/simulator/client.ts'
import { createSimulator } from './drivers/telephony/simulator/simulator.ts'
import { Shutdown } from './lib/shutdown.ts'
import type { TtsDriver } from './drivers/tts/driver.ts'
import { espeakTts } from './drivers/tts/espeak.ts'
import { httpTts } from './drivers/tts/http.ts'
import { httpGateways } from './drivers/sms/http/http.ts'
import { simulatedGateways } from './drivers/sms/simulator/simulator.ts'
import { unusableGateway } from './drivers/sms/unusable.ts'
import { words as gatewayWords } from './drivers/sms/words.ts'
import { smppGateways } from './drivers/sms/smpp/smpp.ts'
import { startEngine } from './voice/engine.ts'
import { enginePoolOptions } from './dispatch/statement.ts'
import { handlers } from './handlers.ts'
import { startAfterCalls } from './modules/after-call/actions-send.ts'
import { startHooks } from './modules/hooks/actions-send.ts'
import { startHousekeeping } from './housekeeping.ts'
import { Console } from './http/pages/console.ts'
import { requireFreePort } from './http/free-port.ts'
import { isLocalHost } from './http/guards.ts'
import { listenForMetrics } from './http/metrics.ts'
import { createHttp } from './http/server.ts'
import { httpPortsOf } from './http-ports.ts'
import { startWorkers } from './jobs.ts'
import { startLocalAsterisk, stopLocalAsterisk } from './demo/local-asterisk.ts'
import { keepLocalSmsc } from './demo/local-smsc.ts'
import { startDue } from './due-jobs.ts'
import { startStandbyCheck } from './standby-check.ts'
import { demoAccountExists } from './modules/auth/actions.ts'
import { driverSettings, readableSecrets, settingsOf } from './modules/sms-gateways/rules-settings.ts'
import { startCounting } from './modules/insight/actions-count.ts'
import { WorkLimits } from './modules/limits/actions.ts'
import type { SmsEngineOptions } from './sms/gateway/context.ts'
import { startSmsEngine } from './sms/engine.ts'
import { messageOf } from './lib/error-code.ts'
import { endFileReaders } from './workers/file-reader.ts'

const drainMs = 10_000
/** Leaves time to write the results and to close the rest. */
const engineDrainMs = 8_000
const smsEnginePool = 8
/** How long a gateway's driver waits for messages in flight. */
const smsDrainMs = 10_000

/** Beyond what a step waits for: time to write what it has and to close. */
const closingMs = 7_000
/** Hangs up calls first; what does not end is killed. */
const serversEndMs = 30_000
/** npm forwards a signal that the terminal has also sent to us. */
const sameSignalMs = 1_000

async function start(config: Config, log: Logger, shutdown: Shutdown): Promise<void> {
  if (config.roles.includes('api')) {
    await requireFreePort(config)
    if (!config.noConsole) buildConsoleIfStale((line) => console.log(line))
  }
  if (isFirstStart(config))
    console.log(`making a database and the demo accounts in ${config.dataFolder}, this once ...`)
  shutdown.add('the reading of files', endFileReaders)
  const { app, requestsDb } = await openApp(config, log, shutdown)
  if (config.embedded) await makeDemo(app)
  if (config.embedded) await chooseNetwork(app, shutdown)
  if (config.embedded) await chooseGateway(app, shutdown)
  const demo = await demoAccountExists(app.db)
  if (demo && !isLocalHost(config.host))
    throw new Error(
      `HOST=${config.host}: while demo accounts exist the server stays on this machine; \`npm run admin -- create-super-admin\` removes them`,
    )
  shutdown.add('housekeeping', startHousekeeping(app))
  if (config.roles.includes('worker')) {
    await startWorkers(app)
    shutdown.add('what is due', startDue(app))
    shutdown.add('the look at the standby', startStandbyCheck(app))
    shutdown.add('messages after calls', startAfterCalls(app))
    shutdown.add('webhooks', startHooks(app))
    shutdown.add('the counters of insight', startCounting(app))
  }
  if (config.roles.includes('engine')) {
    startDialling(app, shutdown)
    startSending(app, shutdown)
  }
  if (requestsDb) await startApi({ ...app, db: requestsDb }, app.db, shutdown)
  if (demo) console.log(demoLogins)
  if (config.embedded) console.log('Ctrl+C ends it; what was done is kept for the next start')
}

/** The server's own database has not been made yet. */
function isFirstStart({ embedded, dataFolder }: Config): boolean {
  return embedded && !fs.existsSync(path.join(dataFolder, 'postgres'))
}

/** The demo's dialers: with `--asterisk`, a dialer and a virtual operator of this installation. */
async function chooseNetwork(app: App, shutdown: Shutdown): Promise<void> {
  const say = (line: string): void => console.log(line)
  const home = path.join(app.config.dataFolder, 'asterisk-demo')
  if (!app.config.asterisk) {
    if (fs.existsSync(home)) await stopLocalAsterisk(home, say) // left by a server that was killed
    return useSimulator(app)
  }
  const asterisk = await startLocalAsterisk({ home, freePorts: true, say })
  const supervisor = superviseAsterisk(home, asterisk, say)
  shutdown.add('Asterisk', () => supervisor.stop(), serversEndMs)
  await useAsterisk(app, asterisk)
  const { dialer, operator } = asterisk
  console.log(
    `Calls pass Asterisk (ARI http://${dialer.host}:${dialer.port}/ari) and its virtual operator at ${operator.host}:${operator.port}`,
  )
}

/** The demo's gateways: with `--smpp`, a message centre of this installation. */
async function chooseGateway(app: App, shutdown: Shutdown): Promise<void> {
  if (!app.config.smpp) return useSimulatedGateway(app)
  const smsc = await keepLocalSmsc(path.join(app.config.dataFolder, 'smsc-demo'), (line) => console.log(line))
  shutdown.add('the SMPP message centre', () => smsc.stop(), serversEndMs)
  await useSmpp(app, smsc)
  console.log(`Messages pass the SMPP message centre at ${smsc.host}:${smsc.port}`)
}

type Opened = {
  app: App
  /** The database for requests, of which no statement may take long; null in a process without the API. Exports, imports and jobs have no such limit. */
  requestsDb: Db | null
}

async function openApp(config: Config, log: Logger, shutdown: Shutdown): Promise<Opened> {
  const lost = (reason: Error): void => {
    log.fatal({ error: reason }, 'the database is lost, so this process ends')
    process.exit(1)
  }
  const database = await openDatabase(config, lost, log)
  shutdown.add('the database', () => database.close(), serversEndMs)
  if (config.embedded) {
    shutdown.add('the hold on the data folder', await holdAlone(config, database.url, lost))
    await migrate(database.url)
  }
  const poolOf = (name: string, options = ''): Db => {
    const lost = (error: Error): void => log.warn({ error }, 'a database connection was lost')
    const pool = openPool({ connectionString: database.url, max: config.databasePool, name, options }, lost)
    shutdown.add(`the database pool of ${name}`, () => pool.end())
    return kyselyOver(pool)
  }
  const db = poolOf('ghanti')
  await requireSchema(db)
  const requestsDb = config.roles.includes('api') ? poolOf('ghanti-api', requestPoolOptions) : null
  const replica = replicaOf(config, database.url, requestsDb ?? db, log)
  shutdown.add('the replica', () => replica?.close())
  const excess = config.embedded ? null : await excessOf(db)
  if (excess)
    log.warn(
      excess,
      'the database login can change settled money and history: `npm run admin -- database-login` makes one that cannot',
    )
  const jobs = await openJobs(database.url, log, { supervise: config.roles.includes('worker') })
  shutdown.add('jobs', () => jobs.stop({ graceful: true, timeout: drainMs }), drainMs + closingMs)
  const files = localFiles(path.join(config.dataFolder, 'files'))
  const { mail, mailbox } = mailOf(config)
  shutdown.add('mail', () => mail?.close())
  const tts = ttsOf(config)
  shutdown.add('the speech engine', () => tts.close())
  const app = {
    config,
    db,
    databaseUrl: database.url,
    replica,
    clock: systemClock,
    log,
    files,
    jobs,
    tts,
    mail,
    mailbox,
    addresses: httpAddresses(),
    workLimits: new WorkLimits(),
  }
  return { app, requestsDb }
}

function replicaOf({ replica, databasePool }: Config, primaryUrl: string, primary: Db, log: Logger): Replica | null {
  if (!replica) return null
  const { url, behindSeconds } = replica
  return new Replica({ url, primaryUrl, primary, behindMsMax: behindSeconds * 1000, poolMax: databasePool, log })
}

function ttsOf({ speech }: Config): TtsDriver {
  return speech ? httpTts(speech) : espeakTts()
}

/** Without a mail server the demo's mail is logged and kept for its mailbox page; other installations then send none. */
function mailOf(config: Config): { mail: MailDriver | null; mailbox: Mailbox | null } {
  if (config.smtp) return { mail: smtpMail(config.smtp), mailbox: null }
  if (!config.embedded) return { mail: null, mailbox: null }
  const box = developmentMailbox((line) => console.log(line))
  return { mail: box, mailbox: box }
}

async function startApi(app: App, exportsDb: Db, shutdown: Shutdown): Promise<void> {
  const { config } = app
  const ports = httpPortsOf(app)
  const { http, drain } = await createHttp(app, {
    handlers,
    ports,
    exportsDb,
    console: config.noConsole ? null : Console.read(config.basePath),
  })
  shutdown.add('the HTTP server', () => http.close())
  shutdown.add('readiness', drain)
  const address = await http.listen({ port: config.port, host: config.host })
  const metrics = await listenForMetrics(app, ports)
  shutdown.add('metrics', () => metrics?.close())
  console.log(`${config.noConsole ? 'The API' : 'Ghanti'} is at ${address}${config.basePath}`)
}

function startDialling(app: App, shutdown: Shutdown): void {
  const { config, databaseUrl, log, files, clock } = app
  const { pool: max, name, weight } = config.engine
  const options = { connectionString: databaseUrl, max, name: 'ghanti-engine', options: enginePoolOptions }
  const pool = openPool(options, (error) => log.warn({ error }, 'a database connection of the engine was lost'))
  shutdown.add('the engine’s database pool', () => pool.end())
  const telephony = driversOf(config)
  const { waitScale } = config
  const engineId = config.embedded ? 'embedded' : randomUUID()
  const dialerSettings = { secret: config.secret, mediaFolder: path.join(config.dataFolder, 'media') }
  const engine = startEngine({
    pool,
    telephony,
    files,
    speech: app,
    dialerSettings,
    clock,
    log,
    engineId,
    name,
    weight,
    ...(waitScale === null ? {} : { timeScale: waitScale }),
  })
  shutdown.add('the engine', () => engine.stop({ drainMs: engineDrainMs }), engineDrainMs + closingMs)
}

function startSending(app: App, shutdown: Shutdown): void {
  const { config, databaseUrl, log, files, clock } = app
  const options = {
    connectionString: databaseUrl,
    max: smsEnginePool,
    name: 'ghanti-sms-engine',
    options: enginePoolOptions,
  }
  const pool = openPool(options, (error) => log.warn({ error }, 'a database connection of the sms engine was lost'))
  shutdown.add('the sms engine’s database pool', () => pool.end())
  const engineId = config.embedded ? 'embedded' : randomUUID()
  const timeScale = config.waitScale ?? 1 / config.simulatorSpeed
  const engine = startSmsEngine({ pool, drivers: smsDriversOf(app), files, clock, log, engineId, timeScale })
  shutdown.add('the sms engine', () => engine.stop(), smsDrainMs + closingMs)
}

/** A demo sends nothing to real telephones: its gateways are simulated or on this machine. */
function smsDriversOf({ config, clock }: App): SmsEngineOptions['drivers'] {
  const { embedded, privateHosts, publicUrl } = config
  const simulated = simulatedGateways(config.simulatorSpeed)
  const smpp = smppGateways()
  const http = httpGateways({ loopbackOnly: embedded, privateHosts })
  const open: SmsEngineOptions['drivers']['smpp'] = (row, events) => {
    const secrets = readableSecrets(config.secret, row.secrets_sealed)
    if (!secrets) return unusableGateway(gatewayWords.unreadable)(settingsOf(row.driver, row.settings), events, clock)
    const settings = driverSettings(row, secrets, publicUrl)
    if (settings.driver === 'smpp') return smpp(settings, events, clock)
    return settings.driver === 'http' ? http(settings, events, clock) : simulated(settings, events, clock)
  }
  return embedded ? { simulator: open, smpp: open, http: open } : { smpp: open, http: open }
}

/** A demo calls no real telephones: it has the simulator and, with `--asterisk`, this machine's virtual operator. */
function driversOf(config: Config): TelephonyDriver[] {
  if (!config.embedded) return [asteriskDriver()]
  return config.asterisk ? [simulatorOf(config), asteriskDriver()] : [simulatorOf(config)]
}

function simulatorOf(config: Config): TelephonyDriver {
  if (config.simulatorProcess) return createSimulatorClient()
  return createSimulator({
    speed: config.simulatorSpeed,
    mixture: config.simulatorMix,
    recordFolder: path.join(config.dataFolder, 'simulator'),
  })
}

function endOnSignals(shutdown: Shutdown, log: Logger): void {
  let askedAt: number | null = null
  const stop = (): void => {
    const now = performance.now()
    if (askedAt !== null) {
      if (now - askedAt > sameSignalMs) process.exit(1) // at the second request it ends at once; open calls are settled from the record
      return
    }
    askedAt = now
    void shutdown.end(log).then((ended) => process.exit(ended ? 0 : 1))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

async function main(): Promise<void> {
  const shutdown = new Shutdown()
  let log = pino()
  try {
    const config = readConfig(undefined, process.argv.slice(2))
    log = pino({ level: config.logLevel, serializers: { error: pino.stdSerializers.err } })
    endOnSignals(shutdown, log)
    await start(config, log, shutdown)
  } catch (error) {
    console.error(messageOf(error))
    log.debug({ error }, 'start failed')
    await shutdown.end(log)
    process.exit(1)
  }
}

await main()
