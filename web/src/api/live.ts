import type { SmsCampaignRow } from '@ghanti/contract/sms-campaigns.ts'
import { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import {
  BalanceEvent,
  CampaignsEvent,
  DiallingEvent,
  eventsReachBackMs,
  voiceCampaignRoutes,
  type CampaignRow,
} from '@ghanti/contract/voice-campaigns.ts'
import type { Query } from '@tanstack/react-query'
import { addressOf, type Page } from './client.ts'
import { isSessionEnded } from './ended-session.ts'
import { AnswersUnderWay } from './live-answers.ts'
import { setInterrupted } from './live-state.ts'
import { takeNews } from './notices.ts'
import { pageOwner } from './page-owner.ts'
import { patchAnswers, queryClient, refresh } from './query.ts'
import { refreshSession, setBalance, setStopped } from './session.ts'
import { takeWaiting } from './waiting.ts'

/** What counts campaigns by status. Written out, because these routes load with the screens that use them. */
const dashboards = [{ path: '/api/obd/dashboard/:userId' }, { path: '/api/obd/overview/own' }]

const mergeMs = 250
const reopenMs = 5_000
const answeredWithinMs = 10_000
const detailPath = campaignDetailRoutes.detail.path
const listPath = voiceCampaignRoutes.list.path

/**
 * The one stream of a session. Collects changed campaigns and balances for 250 ms, then patches the queries on screen, so that nothing
 * moves while somebody reads. Replies under way meanwhile are patched too, because they may be older. Lists are reloaded after an
 * interruption, and so are replies older than the stream's start.
 */
export function openLiveEvents(): () => void {
  const changed = new Map<number, CampaignRow>()
  const statusOf = new Map<number, number>()
  let source: EventSource
  let timer: ReturnType<typeof setTimeout> | undefined
  let reopening: ReturnType<typeof setTimeout> | undefined
  let interrupted = false
  const underWay = new AnswersUnderWay((path) => path === listPath || path === detailPath, patchCampaigns)
  const smsUnderWay = new AnswersUnderWay<SmsCampaignRow>((path) => path.startsWith('/app/sms/campaign'), patchSms)

  const write = () => {
    timer = undefined
    const moved = [...changed.values()].some((row) => statusOf.get(row.campaignId) !== row.campaignStatus)
    for (const row of changed.values()) statusOf.set(row.campaignId, row.campaignStatus)
    const changes = new Map(changed)
    changed.clear()
    underWay.miss(changes)
    void show(changes)
    if (moved) void refresh(...dashboards)
  }

  const open = () => {
    if (isSessionEnded()) {
      reopening = setTimeout(open, reopenMs)
      return
    }
    source = new EventSource(`${addressOf(voiceCampaignRoutes.events, {}).path}?pageOwner=${pageOwner() ?? ''}`)
    source.addEventListener('campaigns', (event) => {
      for (const row of CampaignsEvent.parse(JSON.parse(event.data))) changed.set(row.campaignId, row)
      timer ??= setTimeout(write, mergeMs)
    })
    source.addEventListener('smsCampaigns', (event) => void takeSms(event.data, smsUnderWay))
    source.addEventListener('balance', (event) => setBalance(BalanceEvent.parse(JSON.parse(event.data))))
    source.addEventListener('dialling', (event) => setStopped(DiallingEvent.parse(JSON.parse(event.data))))
    source.addEventListener('notices', (event) => takeNews(event.data))
    source.addEventListener('waiting', (event) => takeWaiting(event.data))
    source.addEventListener('followup', (event) => void takeFollowup(event.data))
    source.addEventListener('open', () => {
      setInterrupted(false)
      void queryClient.invalidateQueries(interrupted ? {} : { predicate: olderThanStream() })
      interrupted = false
    })
    // Newer tabs of this account took its place; it reconnects when somebody looks at this one.
    source.addEventListener('replaced', () => {
      source.close()
      interrupted = true
      setInterrupted(true)
      window.addEventListener('focus', reopen, { once: true })
    })
    source.addEventListener('error', () => {
      interrupted = true
      setInterrupted(true)
      // The browser reconnects by itself unless the answer was an error; then the session is checked (a 401 asks for a sign-in) before trying again.
      if (source.readyState !== EventSource.CLOSED) return
      void refreshSession()
      reopening = setTimeout(open, reopenMs)
    })
  }
  const reopen = () => open()
  open()
  return () => {
    window.removeEventListener('focus', reopen)
    clearTimeout(timer)
    clearTimeout(reopening)
    source.close()
    underWay.close()
    smsUnderWay.close()
    setInterrupted(false)
  }
}

async function show(changes: ReadonlyMap<number, CampaignRow>): Promise<void> {
  patchCampaigns(changes)
  const part = await import('./live-highlight.ts').catch(() => null)
  part?.highlight(changes.keys())
}

/** Which queries were answered before what a stream that begins now reports. */
function olderThanStream(): (query: Query) => boolean {
  const reportedSince = Date.now() - eventsReachBackMs + answeredWithinMs
  return ({ state: { dataUpdatedAt } }) => dataUpdatedAt > 0 && dataUpdatedAt < reportedSince
}

/** A part that loads with its first event. While it cannot be loaded, what is on screen is asked for anew: nothing else would show the event. */
async function ifLoaded<T>(loading: Promise<T>, use: (part: T) => unknown): Promise<void> {
  const part = await loading.catch(() => null)
  await (part === null ? queryClient.invalidateQueries() : use(part))
}

export const takeFollowup = (data: string): Promise<void> =>
  ifLoaded(import('./live-followup.ts'), (part) => part.takeFollowup(data))

const takeSms = (data: string, underWay: AnswersUnderWay<SmsCampaignRow>): Promise<void> =>
  ifLoaded(import('./live-sms.ts'), ({ patchSmsCampaigns, readSmsCampaigns }) => {
    const changes = readSmsCampaigns(data)
    underWay.miss(changes)
    patchSmsCampaigns(changes)
  })

export const patchSms = (changed: ReadonlyMap<number, SmsCampaignRow>): Promise<void> =>
  ifLoaded(import('./live-sms.ts'), (part) => part.patchSmsCampaigns(changed))

function patchCampaigns(changed: ReadonlyMap<number, CampaignRow>): void {
  patchAnswers<Page<CampaignRow>>(listPath, (page) =>
    page.rows.some((row) => changed.has(row.campaignId))
      ? { ...page, rows: page.rows.map((row) => changed.get(row.campaignId) ?? row) }
      : page,
  )
  patchAnswers<CampaignRow>(detailPath, (detail) => {
    const row = changed.get(detail.campaignId)
    if (!row) return detail
    // Removes optional fields that the new row lacks: a failed report's status, a queued retry's mark.
    const { reportStatus: _, hold: __, heldBy: ___, retryQueuing: ____, ...kept } = detail
    return { ...kept, ...row }
  })
}
