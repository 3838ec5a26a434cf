/**
 * A process that mails summaries, for tests that kill it. It prints `ready`, reads its order (one line of JSON), sends those mails over a real mail server
 * and ends, or kills itself with SIGKILL at the nth occurrence of the ordered moment: 'claimed' (before anything leaves), 'taken' (the mail server has the
 * mail, and nothing is stored about it here).
 */
import { once } from 'node:events'
import * as path from 'node:path'
import { createInterface } from 'node:readline'
import { pino } from 'pino'
import * as z from 'zod/mini'
import { systemClock } from '../../clock.ts'
import { readConfig } from '../../config.ts'
import { openJobs } from '../../db/jobs/jobs.ts'
import { kyselyOver, openPool } from '../../db/pool.ts'
import { httpAddresses } from '../../drivers/addresses/http.ts'
import { localFiles } from '../../drivers/files/local.ts'
import { smtpMail } from '../../drivers/mail/smtp.ts'
import type { MailDriver } from '../../drivers/mail/driver.ts'
import { espeakTts } from '../../drivers/tts/espeak.ts'
import { WorkLimits } from '../../modules/limits/actions.ts'
import { sendSummaryMails } from '../../modules/summary-mails/actions-send.ts'

const Order = z.object({
  databaseUrl: z.string(),
  dataFolder: z.string(),
  smtpUrl: z.string(),
  mailIds: z.array(z.number()),
  killAt: z.nullable(z.object({ what: z.enum(['claimed', 'taken']), nth: z.number() })),
})
export type SummaryMailOrder = z.output<typeof Order>

process.stdout.write('ready\n')
const [line] = await once(createInterface({ input: process.stdin }), 'line')
const { databaseUrl, dataFolder, smtpUrl, mailIds, killAt } = Order.parse(JSON.parse(String(line)))
process.stdin.on('end', () => process.exit(0))

let times = 0
function happened(what: string): void {
  if (what !== killAt?.what) return
  times += 1
  if (times === killAt.nth) process.kill(process.pid, 'SIGKILL')
}

const real = smtpMail({ url: smtpUrl, from: 'calls@example.com' })
const mail: MailDriver = {
  async send(one) {
    happened('claimed')
    await real.send(one)
    happened('taken')
  },
  close: () => real.close(),
}
const log = pino({ level: 'silent' })
const pool = openPool({ connectionString: databaseUrl, max: 2, name: 'ghanti-summary-mail-test' }, () => {})
await sendSummaryMails(
  {
    config: readConfig({ DATA_FOLDER: dataFolder, LOG_LEVEL: 'silent', PORT: '0' }),
    databaseUrl,
    db: kyselyOver(pool),
    clock: systemClock,
    log,
    files: localFiles(path.join(dataFolder, 'files')),
    jobs: await openJobs(databaseUrl, log, { supervise: false }),
    mail,
    mailbox: null,
    tts: espeakTts(),
    addresses: httpAddresses(),
    replica: null,
    workLimits: new WorkLimits(),
  },
  mailIds,
)
process.exit(0)
