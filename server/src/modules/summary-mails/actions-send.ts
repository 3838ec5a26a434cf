import type { InputOf } from '@ghanti/contract/route.ts'
import { summaryMailsPerDay, type summaryMailRoutes } from '@ghanti/contract/summary-mails.ts'
import { nepalDayOf, nepalTimeOf } from '@ghanti/contract/time.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import { queueJob } from '../../db/jobs/jobs.ts'
import { MailNotTaken, MailRefused, type Attachment } from '../../drivers/mail/driver.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { csvText, csvType } from '../../lib/csv.ts'
import { audit } from '../audit/actions.ts'
import { countSummaryMails } from '../mail/actions.ts'
import { pdfType, summariesPdf, summaryOf, type OwnedSummary } from '../summaries/actions.ts'
import { figuresCells, figuresHeader } from '../summaries/rules-csv.ts'
import { consoleLink, stopToken } from './actions.ts'
import { dailyPagesMax, hourOf, summariesMail } from './rules.ts'
import * as mails from './store-mail.ts'
import * as store from './store.ts'

const takenAtOnce = 200
/** How long to wait after a campaign is complete, so that its sums include the last calls. */
const settledMs = 5000
const dayMs = 24 * 3600_000

/** Queues a job for every mail that is due now. Several processes may do this at the same time. */
export async function queueSummaryMails(app: App): Promise<void> {
  if (!app.mail) return
  const now = app.clock.now()
  const day = nepalDayOf(now)
  await app.db.transaction().execute(async (tx) => {
    const before = new Date(now.getTime() - settledMs)
    for (const owed of await mails.takeCompleted(tx, before, takenAtOnce))
      await queue(app, tx, owed, 'completion', null)
  })
  const dayBefore = nepalDayOf(new Date(now.getTime() - dayMs))
  await app.db.transaction().execute(async (tx) => {
    const hour = hourOf(nepalTimeOf(now))
    for (const owed of await mails.takeDaily(tx, { day, hour, limit: takenAtOnce })) {
      const { all } = await mails.calledOn(tx, owed.userId, dayBefore, 1)
      if (all > 0) await queue(app, tx, owed, 'daily', dayBefore)
    }
  })
}

type Kind = 'daily' | 'completion' | 'asked'

/** Stores the mails and queues their job, in one transaction. Mails beyond the account's limit of the day are stored as dropped. Returns how many will be sent. */
async function queue(app: App, tx: Tx, owed: mails.Owed, kind: Kind, day: string | null): Promise<number> {
  const at = app.clock.now()
  const mailIds = await mails.insert(tx, { ...owed, kind, day, at })
  if (mailIds.length === 0) return 0
  const room = await countSummaryMails(tx, { userId: owed.userId, mails: mailIds.length, max: summaryMailsPerDay }, at)
  await mails.end(tx, mailIds.slice(room), 'tooMany', at)
  const sent = mailIds.slice(0, room)
  const turn = { accountId: owed.userId, before: 0 }
  if (sent.length > 0) await queueJob(app.jobs, tx, 'summary-mail', { mailIds: sent }, { turn })
  return sent.length
}

/** Mails a campaign's summary to confirmed addresses of its owner, to all of them or to none. */
export async function sendSummary(ctx: Ctx, asked: InputOf<typeof summaryMailRoutes.send>): Promise<void> {
  const { app, viewer } = ctx
  const { userId } = viewer
  const { campaignId, addressIds, ...written } = asked
  if (!app.mail) throw conflict('campaignId', 'is not mailed: this server sends no mail', 'no_mail')
  const { campaign } = await summaryOf(ctx, campaignId)
  const wanted = [...new Set(addressIds)]
  await app.db.transaction().execute(async (tx) => {
    const own = await store.addressesOf(tx, userId)
    const usable = own.filter(({ confirmed_at, stopped_at }) => confirmed_at !== null && stopped_at === null)
    if (!wanted.every((id) => usable.some((address) => address.id === id)))
      throw badField('addressIds', 'has an address that its reader has not confirmed', 'not_found')
    const sent = await queue(app, tx, { ...written, userId, campaignId, addressIds: wanted }, 'asked', null)
    if (sent < wanted.length)
      throw conflict('addressIds', `would be more than the ${summaryMailsPerDay} mails of this day`, 'too_many')
    await audit(tx, ctx, 'summary.mail', `campaign ${campaignId}`, { name: campaign.campaignName, mails: sent })
  })
}

/** The job: makes the files once and sends them to each address, at most once even if the process is killed. */
export async function sendSummaryMails(app: App, mailIds: readonly number[]): Promise<void> {
  const occasion = await mails.take(app.db, mailIds, app.clock.now())
  if (!app.mail || !occasion) return
  const made = occasion.isLive ? await filesOf(app, occasion) : null
  if (!made) return await mails.end(app.db, occasion.mailIds, 'gone', app.clock.now())
  const failures: unknown[] = []
  for (const mailId of occasion.mailIds)
    await sendOne(app, mailId, occasion, made).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** After the last retry. */
export function giveUpSummaryMails(app: App, mailIds: readonly number[]): Promise<void> {
  return mails.giveUp(app.db, mailIds, app.clock.now())
}

type Made = { attachments: Attachment[]; campaigns: number; leftOut: number }

/** Null when no campaign is left to report on. */
async function filesOf(app: App, occasion: mails.Occasion): Promise<Made | null> {
  const { userId, day, campaignId, formats, language, calendar } = occasion
  const found =
    campaignId === null && day !== null
      ? await mails.calledOn(app.db, userId, day, dailyPagesMax)
      : { ids: campaignId === null ? [] : [campaignId], all: 1 }
  const summaries: OwnedSummary[] = []
  for (const id of found.ids) summaries.push(...(await summaryIfThere(app, occasion, id)))
  const [first] = summaries
  if (!first) return null
  const name = day === null ? `summary-${first.campaign.campaignId}` : `summaries-${day}`
  const attachments: Attachment[] = []
  if (formats !== 'csv') {
    const content = await summariesPdf(app, summaries, { language, calendar, ownerId: userId, whose: userId })
    attachments.push({ fileName: `${name}.pdf`, type: pdfType, content })
  }
  if (formats !== 'pdf') {
    const rows = summaries.map(({ campaign }) => figuresCells(campaign))
    attachments.push({ fileName: `${name}.csv`, type: csvType, content: Buffer.from(csvText(figuresHeader, rows)) })
  }
  return { attachments, campaigns: summaries.length, leftOut: found.all - found.ids.length }
}

/** Empty when the campaign was deleted meanwhile. */
async function summaryIfThere(app: App, viewer: mails.Occasion, campaignId: number): Promise<OwnedSummary[]> {
  try {
    return [await summaryOf({ app, viewer }, campaignId)]
  } catch (error) {
    if (error instanceof AppError) return []
    throw error
  }
}

async function sendOne(
  app: App,
  mailId: number,
  { kind, day, campaignId, language, calendar }: mails.Occasion,
  { attachments, campaigns, leftOut }: Made,
): Promise<void> {
  const to = await mails.beginSending(app.db, mailId, app.clock.now())
  if (!app.mail || !to) return
  const stopLink = consoleLink(app, `summary-mails/no/${stopToken(app, to.addressId)}`)
  const page = campaignId === null ? 'voice-campaign-summary' : `voice-campaign-summary/${campaignId}`
  const links = { consoleLink: consoleLink(app, page), stopLink }
  const text = summariesMail({ kind, language, calendar, day, campaigns, leftOut, ...links })
  try {
    await app.mail.send({ to: to.address, ...text, attachments, stopLink })
  } catch (error) {
    return await unsent(app, mailId, error)
  }
  await mails.markSent(app.db, mailId, app.clock.now())
}

/** Tries again only when the server certainly did not take the mail. */
async function unsent(app: App, mailId: number, error: unknown): Promise<void> {
  if (error instanceof MailNotTaken) {
    await mails.sendLater(app.db, mailId)
    throw error
  }
  app.log.warn({ error, mailId }, 'a summary mail was not sent, or its fate is unknown')
  await mails.end(app.db, [mailId], error instanceof MailRefused ? 'refused' : 'inDoubt', app.clock.now())
}
