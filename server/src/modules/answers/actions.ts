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

type Asker = Pick<Ctx, 'app' | 'viewer'>

async function stored({ app, viewer }: Asker, campaignId: number) {
  const campaign = await store.find(app.db, scopeOf(viewer), campaignId)
  if (!campaign) throw new AppError('not_found')
  const { name, flow, answered, keyLabels } = campaign
  const tallies = await store.tallies(app.db, campaignId)
  return { name, flow, answersBy: (read: Flow) => answersOf(read, answered, tallies, storedKeyLabels(keyLabels)) }
}

/** Visible to the campaign's owner and the accounts above. */
export async function campaignAnswers(asker: Asker, campaignId: number): Promise<CampaignAnswers> {
  const { flow, answersBy } = await stored(asker, campaignId)
  return answersBy(Flow.parse(flow))
}

/** For a page that shows other things as well: none where the flow, stored by another release, cannot be read by this one. */
export async function menusBeside(asker: Asker, campaignId: number): Promise<CampaignAnswers['menus']> {
  const { flow, answersBy } = await stored(asker, campaignId)
  const { data, error } = Flow.safeParse(flow)
  if (data) return answersBy(data).menus
  asker.app.log.warn({ error, campaignId }, 'the call flow of a campaign cannot be read: its keys are left out')
  return []
}

export async function exportAnswers(ctx: Ctx, campaignId: number, what: 'keys' | 'dropOff'): Promise<FileReply> {
  const { name, flow, answersBy } = await stored(ctx, campaignId)
  const answers = answersBy(Flow.parse(flow))
  const fileName = fileNameOf(what === 'keys' ? 'answers' : 'drop-off', 'csv', name, ctx.app.clock.now())
  const stream =
    what === 'keys' ? csvStream(keysHeader, keysLines(answers)) : csvStream(dropOffHeader, dropOffLines(answers))
  return { type: csvType, fileName, body: { stream } }
}
