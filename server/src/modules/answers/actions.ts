import { Flow } from '@ghanti/callflow/flow.ts'
import type { CampaignAnswers } from '@ghanti/contract/answers.ts'
import { storedKeyLabels } from '@ghanti/contract/key-labels.ts'
import { csvStream, csvType } from '../../lib/csv.ts'
import { fileNameOf } from '../../lib/file-names.ts'
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
  const { name, flow, answered, keyLabels } = campaign
  const tallies = await store.tallies(app.db, campaignId)
  return { name, answers: answersOf(Flow.parse(flow), answered, tallies, storedKeyLabels(keyLabels)) }
}

/** Visible to the campaign's owner and the accounts above. */
export async function campaignAnswers(ctx: Asker, campaignId: number): Promise<CampaignAnswers> {
  return (await found(ctx, campaignId)).answers
}

export async function exportAnswers(ctx: Ctx, campaignId: number, what: 'keys' | 'dropOff'): Promise<FileReply> {
  const { name, answers } = await found(ctx, campaignId)
  const fileName = fileNameOf(what === 'keys' ? 'answers' : 'drop-off', 'csv', name, ctx.app.clock.now())
  const stream =
    what === 'keys' ? csvStream(keysHeader, keysLines(answers)) : csvStream(dropOffHeader, dropOffLines(answers))
  return { type: csvType, fileName, body: { stream } }
}
