import type { Session } from '../../../api/session.ts'
import type { MenuAction } from '../../../components/table/RowMenu.tsx'
import type { TextsOf } from '../../../i18n/areas.ts'
import { openTestCall } from '../../test-call/open.tsx'
import { actionOf } from '../actions.tsx'
import type { RowAction } from '../allowed.ts'
import { composedFields, type CampaignDetail } from './detail.ts'

type Context = {
  session: Pick<Session, 'role' | 'userId'>
  t: TextsOf<'campaignDetail'>
  campaigns: TextsOf<'voiceCampaigns'>
  refresh: string
  onRefresh: () => void
  go: (path: string) => void
}

const groups = {
  run: ['pause', 'resume', 'stop', 'retry', 'edit'],
  results: ['generateReport', 'downloadReport', 'summaryPdf', 'summaryMail', 'exportRows'],
  again: ['duplicate', 'saveSetup', 'newFrom', 'archive', 'delete'],
} as const satisfies Record<keyof TextsOf<'campaignDetail'>['groups'], readonly RowAction[]>

/** All that the campaign's page can do, in three groups. */
export function pageMenu(detail: CampaignDetail, context: Context): MenuAction[] {
  const { session, t, campaigns, refresh, onRefresh, go } = context
  const { role } = session
  const inGroup = (group: keyof typeof groups): MenuAction[] =>
    groups[group].map((action) => ({
      ...actionOf(action, detail, { role, t: campaigns, go }),
      group: t.groups[group],
    }))
  const test = { label: t.detail.test, group: t.groups.again, onClick: () => openTest(detail, session.userId, t) }
  return [
    ...inGroup('run'),
    { label: refresh, group: t.groups.run, onClick: onRefresh },
    ...inGroup('results'),
    ...(role === 'user' ? [test] : []),
    ...inGroup('again'),
  ]
}

function openTest(detail: CampaignDetail, userId: number, t: Context['t']): void {
  const { campaignId, campaignName, cli, oneCallAtMost, composed } = detail
  const { language, agentRows } = composedFields(composed)
  openTestCall(campaignName, {
    userId,
    source: { campaignId },
    cli,
    speaks: language !== undefined,
    prices: { oneCallAtMost, perAgentMinute: agentRows.length > 0 ? null : 0 },
    labels: { cli: t.composed.cli },
  })
}
