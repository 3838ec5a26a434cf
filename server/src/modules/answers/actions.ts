import { Flow } from '@ghanti/callflow/flow.ts'
import type { CampaignAnswers } from '@ghanti/contract/answers.ts'
import { csvStream, csvType } from '../../lib/csv.ts'
import { AppError } from '../../errors.ts'
import type { Ctx, FileReply } from '../../http/types.ts'
import { scopeOf } from '../../policy.ts'
import { answersOf, dropOffHeader, dropOffLines, keysHeader, keysLines } from './rules.ts'
import * as store from './store.ts'

type Found = { name: string; answers: CampaignAnswers }

type Asker = Pick<Ctx, 'app' | 'viewer'>

async function found({ app, viewer }: Asker, campaignId: number): Promise<Found> {
  const campaign = await store.find(app.db, scopeOf(viewer), campaignId)
  if (!campaign) throw new AppError('not_found')
  const { name, flow, answered } = campaign
  return { name, answers: answersOf(Flow.parse(flow), answered, await store.tallies(app.db, campaignId)) }
}

/** Visible to the campaign's owner and the accounts above. */
export async function campaignAnswers(ctx: Asker, campaignId: number): Promise<CampaignAnswers> {
  return (await found(ctx, campaignId)).answers
}

export async function exportAnswers(ctx: Ctx, campaignId: number, what: 'keys' | 'dropOff'): Promise<FileReply> {
  const { name, answers } = await found(ctx, campaignId)
  return what === 'keys'
    ? { type: csvType, fileName: `${name} answers.csv`, body: { stream: csvStream(keysHeader, keysLines(answers)) } }
    : {
        type: csvType,
        fileName: `${name} drop-off.csv`,
        body: { stream: csvStream(dropOffHeader, dropOffLines(answers)) },
      }
}
