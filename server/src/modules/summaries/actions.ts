import type { InputOf } from '@ghanti/contract/route.ts'
import type { summaryRoutes } from '@ghanti/contract/summaries.ts'
import { calendarOfLanguage, type Calendar, type Language } from '@ghanti/contract/templates.ts'
import type { App } from '../../app.ts'
import { csvStream, csvType } from '../../lib/csv.ts'
import type { Ctx, FileReply } from '../../http/types.ts'
import { drawSummaries } from './worker.ts'
import { campaignAnswers } from '../answers/actions.ts'
import { brandOfAccount } from '../branding/actions.ts'
import { refuseDeleted } from '../retention/actions-delete.ts'
import { campaignDetail } from '../voice-campaigns/actions-read.ts'
import { figuresCells, figuresHeader } from './rules-csv.ts'
import { fileNameOf } from '../../lib/file-names.ts'
import { pageOf, pageNumbers, type Summary, type Written } from './rules-page.ts'

type Asker = Pick<Ctx, 'app' | 'viewer'>
export type OwnedSummary = Summary & { ownerId: number }

/** The content of a campaign's summary. Throws 404 when the viewer cannot see the campaign, and 409 when it was deleted. */
export async function summaryOf(asker: Asker, campaignId: number): Promise<OwnedSummary> {
  const { app } = asker
  const campaign = await campaignDetail(asker, campaignId)
  await refuseDeleted(app.db, 'calls', campaignId)
  const { menus } = await campaignAnswers(asker, campaignId)
  return { campaign, menus, at: app.clock.now(), ownerId: campaign.userId }
}

/** One PDF with a page for each summary, in the brand of the account `ownerId`. `whose`: the account whose turn it uses. */
export async function summariesPdf(
  app: App,
  summaries: readonly Summary[],
  { ownerId, whose, ...written }: Written & { ownerId: number; whose: number },
): Promise<Buffer> {
  const brand = await brandOfAccount(app, ownerId)
  const pages = summaries.map((summary) => pageOf(summary, written))
  const of = pageNumbers(pages.length, written)
  return Buffer.from(await drawSummaries({ pages, brand, at: app.clock.now(), of }, whose))
}

export const pdfType = 'application/pdf'

/** English, and the usual calendar of the language, unless the request names others. */
function writtenIn({
  language = 'en',
  calendar = calendarOfLanguage[language],
}: {
  language?: Language | undefined
  calendar?: Calendar | undefined
}): Written {
  return { language, calendar }
}

/** For the owner of the campaign and the accounts above. */
export async function openPdf(ctx: Ctx, asked: InputOf<typeof summaryRoutes.pdf>): Promise<FileReply> {
  const { app, viewer } = ctx
  const summary = await summaryOf(ctx, asked.campaignId)
  const { ownerId } = summary
  const make = () => summariesPdf(app, [summary], { ...writtenIn(asked), ownerId, whose: viewer.userId })
  const fileName = fileNameOf(null, 'pdf', summary.campaign.campaignName, summary.at)
  return { type: pdfType, fileName, body: { make } }
}

export async function openCsv(ctx: Ctx, campaignId: number): Promise<FileReply> {
  const { campaign, at } = await summaryOf(ctx, campaignId)
  const stream = csvStream(figuresHeader, [figuresCells(campaign)])
  return { type: csvType, fileName: fileNameOf(null, 'csv', campaign.campaignName, at), body: { stream } }
}
