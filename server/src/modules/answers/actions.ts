import { Flow } from '@ghanti/callflow/flow.ts'
import type { CampaignAnswers } from '@ghanti/contract/answers.ts'
import { csvStream } from '../../csv.ts'
import { AppError } from '../../errors.ts'
import type { Ctx, FileReply } from '../../http/types.ts'
import { scopeOf } from '../../policy.ts'
import { csvType } from '../contacts/actions.ts'
import { answersOf, dropOffHeader, dropOffLines, keysHeader, keysLines } from './rules.ts'
import * as store from './store.ts'

/** For the owner of the campaign and whoever is above him. */
export async function campaignAnswers({ app, viewer }: Ctx, campaignId: number): Promise<CampaignAnswers> {
  const campaign = await store.find(app.db, scopeOf(viewer), campaignId)
  if (!campaign) throw new AppError('not_found')
  return answersOf(Flow.parse(campaign.flow), campaign.answered, await store.tallies(app.db, campaignId))
}

export async function exportAnswers(ctx: Ctx, campaignId: number, what: 'keys' | 'dropOff'): Promise<FileReply> {
  const answers = await campaignAnswers(ctx, campaignId)
  return what === 'keys'
    ? { type: csvType, fileName: 'answers.csv', body: { stream: csvStream(keysHeader, keysLines(answers)) } }
    : { type: csvType, fileName: 'drop_off.csv', body: { stream: csvStream(dropOffHeader, dropOffLines(answers)) } }
}
