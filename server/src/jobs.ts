import type { Job, JobResult, WorkConcurrencyOptions } from 'pg-boss'
import { securityKinds } from '@ghanti/contract/notices.ts'
import * as z from 'zod/mini'
import type { App } from './app.ts'
import type { QueueName } from './db/jobs/queues.ts'
import { MailRefused } from './drivers/mail/driver.ts'
import { raiseAlert } from './modules/alerts/actions.ts'
import { sendResetMail } from './modules/auth/actions-reset.ts'
import { giveUpBase, makeBase } from './modules/base-from/actions-make.ts'
import { sendFactorCode } from './modules/factors/actions.ts'
import { sendVerification } from './modules/mail/actions.ts'
import { sendNoticeMail } from './modules/notices/actions-mail.ts'
import { giveUpExport, makeExport } from './modules/exports/actions-make.ts'
import { giveUpRepeat, runRepeat } from './modules/repeats/actions-run.ts'
import { forgetDeleted } from './modules/retention/actions-delete.ts'
import { giveUpReport, makeReport } from './modules/reports/actions-make.ts'
import { sendSecurityMail } from './modules/security/actions.ts'
import { sendAddressLink } from './modules/summary-mails/actions.ts'
import { giveUpSummaryMails, sendSummaryMails } from './modules/summary-mails/actions-send.ts'
import { messageOf } from './lib/error-code.ts'

const ResetJob = z.object({ userId: z.nullable(z.number()), askedAt: z.string() })
const NoticeJob = z.object({ userId: z.number(), noticeIds: z.array(z.number()) })
const SecurityJob = z.object({
  kind: z.enum(securityKinds),
  userId: z.number(),
  to: z.string(),
  at: z.string(),
  place: z.string(),
  program: z.string(),
})
const FactorJob = z.object({ userId: z.number(), tokenHash: z.string() })
const VerificationJob = z.object({ userId: z.number(), emailid: z.string() })
const MailJob = z.object({ userId: z.nullable(z.number()) })
const AddressJob = z.object({ addressId: z.number() })
const SummaryJob = z.object({ mailIds: z.array(z.number()) })
const BaseJob = z.object({ makingId: z.number() })
const ExportJob = z.object({ exportId: z.number() })
const RepeatJob = z.object({ repeatId: z.number(), day: z.string() })
const ReportJob = z.object({ campaignId: z.number() })

/** Carries out a queue's job. When it throws, the job is retried as its queue says. */
type Worker = (app: App, data: unknown, signal: AbortSignal) => Promise<void>
const workers: Readonly<Record<QueueName, Worker>> = {
  report: (app, data, signal) => makeReport(app, z.parse(ReportJob, data).campaignId, signal),
  export: (app, data, signal) => makeExport(app, z.parse(ExportJob, data).exportId, signal),
  'base-from': (app, data, signal) => makeBase(app, z.parse(BaseJob, data).makingId, signal),
  repeat: (app, data, signal) => runRepeat(app, z.parse(RepeatJob, data), signal),
  'repeat-failed': (app, data) => giveUpRepeat(app, z.parse(RepeatJob, data)),
  forget: (app, _data, signal) => forgetDeleted(app, signal),
  'reset-mail': (app, data) => {
    const { userId, askedAt } = z.parse(ResetJob, data)
    return orRefused(app, userId, sendResetMail(app, { userId, askedAt: new Date(askedAt) }))
  },
  'verification-mail': (app, data) => {
    const job = z.parse(VerificationJob, data)
    return orRefused(app, job.userId, sendVerification(app, job))
  },
  'security-mail': (app, data) => {
    const job = z.parse(SecurityJob, data)
    return orRefused(app, job.userId, sendSecurityMail(app, job))
  },
  'factor-mail': (app, data) => {
    const job = z.parse(FactorJob, data)
    return orRefused(app, job.userId, sendFactorCode(app, job))
  },
  'notice-mail': (app, data) => {
    const job = z.parse(NoticeJob, data)
    return orRefused(app, job.userId, sendNoticeMail(app, job))
  },
  'summary-address': (app, data) => {
    const job = z.parse(AddressJob, data)
    return sendAddressLink(app, job).catch((error: unknown) => {
      // The address is probably mistyped. It stays unconfirmed, which the person who added it sees.
      if (!(error instanceof MailRefused)) throw error
    })
  },
  'summary-mail': (app, data) => sendSummaryMails(app, z.parse(SummaryJob, data).mailIds),
  'summary-mail-failed': (app, data) => giveUpSummaryMails(app, z.parse(SummaryJob, data).mailIds),
  'mail-failed': (app, data) => mailFailed(app, z.parse(MailJob, data).userId, 'the mail server did not take it'),
  'export-failed': (app, data) => giveUpExport(app, z.parse(ExportJob, data).exportId),
  'base-from-failed': (app, data) => giveUpBase(app, z.parse(BaseJob, data).makingId),
  'report-failed': (app, data) => giveUpReport(app, z.parse(ReportJob, data).campaignId),
}

/** Does not retry what the mail server will never take. */
async function orRefused(app: App, userId: number | null, sending: Promise<void>): Promise<void> {
  await sending.catch((error: unknown) => {
    if (!(error instanceof MailRefused)) throw error
    return mailFailed(app, userId, error.message)
  })
}

function mailFailed(app: App, userId: number | null, detail: string): Promise<void> {
  return raiseAlert(app.db, 'mail_failed', `user ${userId}`, detail)
}

/** How many jobs of a queue a process works on at once; other queues have one. Mail mostly waits for its server. */
const atOnce: Partial<Record<QueueName, number>> = {
  'reset-mail': 5,
  'verification-mail': 5,
  'notice-mail': 5,
  'security-mail': 5,
  'factor-mail': 5,
}

/** Files take minutes, so a process makes two of a kind at once, and an account has one under way in all processes. */
const ofOneProcess: Partial<Record<QueueName, number>> = { report: 2, export: 2, 'base-from': 2, repeat: 2 }
const oneOfAnAccount = { groupConcurrency: 1 }
const byTurns: Partial<Record<QueueName, WorkConcurrencyOptions>> = {
  report: oneOfAnAccount,
  export: oneOfAnAccount,
  'base-from': oneOfAnAccount,
  repeat: oneOfAnAccount,
  'summary-mail': oneOfAnAccount,
}

/** A new job wakes its worker by a notification, a retried one is found by polling, and after each job the worker looks for the next at once. */
const taking = {
  perJobResults: true,
  pollingIntervalSeconds: 2,
  notifyPollingIntervalSeconds: 3,
} as const

/** Starts to work on background jobs; `app.jobs.stop()` ends it. */
export async function startWorkers(app: App): Promise<void> {
  for (const queue of Object.keys(workers) as QueueName[])
    for (let n = 0; n < (ofOneProcess[queue] ?? 1); n++) await startWorker(app, queue)
}

/** Each worker is one of pg-boss's own, because of several made at once only the first can be notified. */
async function startWorker(app: App, queue: QueueName): Promise<void> {
  const id = await app.jobs.work(
    queue,
    { ...taking, ...byTurns[queue], batchSize: atOnce[queue] ?? 1 },
    async (jobs: Job<unknown>[]) => {
      const results = await Promise.all(jobs.map((job) => done(app, queue, job)))
      app.jobs.notifyWorker(id) // looks for work once the results are written; pg-boss's own burst leaves out batches of one job
      return results
    },
  )
}

async function done(app: App, queue: QueueName, { id, data, signal }: Job<unknown>): Promise<JobResult> {
  try {
    await workers[queue](app, data, signal)
    return { id, status: 'completed' }
  } catch (error) {
    app.log.error({ error, queue, data }, 'job failed')
    return { id, status: 'failed', output: { message: messageOf(error) } }
  }
}
