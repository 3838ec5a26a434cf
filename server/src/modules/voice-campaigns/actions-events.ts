import { setTimeout as sleep } from 'node:timers/promises'
import { rupeesOf } from '@ghanti/contract/money.ts'
import type { WaitingEvent } from '@ghanti/contract/notice-events.ts'
import { eventsReachBackMs } from '@ghanti/contract/voice-campaigns.ts'
import type { App } from '../../app.ts'
import type { Db } from '../../db/db.ts'
import type { EventStream } from '../../http/types.ts'
import { scopeOf, type Scope, type Viewer } from '../../policy.ts'
import { waitingAlerts } from '../alerts/actions.ts'
import { unreadNoticesOf } from '../notices/actions.ts'
import { stopsOf } from '../platform/actions.ts'
import { waitingPrompts } from '../prompts/actions.ts'
import { waitingValues } from '../sms-campaigns/actions-find.ts'
import { changedSmsCampaigns } from '../sms-campaigns/actions-read.ts'
import { waitingSenders } from '../sms-senders/actions.ts'
import { waitingTexts } from '../sms-texts/actions.ts'
import { followupsOf } from '../followups/actions.ts'
import { rowOf } from './rules.ts'
import * as store from './store-events.ts'

const pollMs = 500
/**
 * A change is stamped before it is committed, so polls reread this much of the past. A new stream starts with it too, because lists are
 * read before the stream is open.
 */
const lateMs = eventsReachBackMs
const rowsMax = 10_000

type Watcher = {
  viewer: Viewer
  scope: Scope
  stream: EventStream
  caughtUp: Set<string>
  balance: string
  notices: string
  stopped: string
  waiting: string
  followup: string
}

type Change = { id: number; changedAt: Date; path: readonly number[]; row: unknown }
type Source = {
  event: string
  read: (db: Db, since: Date, limit: number) => Promise<Change[]>
  /** From when the next poll must read; null before the first. */
  since: Date | null
  /** What was sent about the time that will be read again. */
  seen: Map<number, number>
  /** The last poll found more than it could read, so the next one continues at once. */
  behind: boolean
}

async function changedCalls(db: Db, since: Date, limit: number): Promise<Change[]> {
  const rows = await store.changedRows(db, since, limit)
  return rows.map((row) => ({ id: row.campaign_id, changedAt: row.changed_at, path: row.path, row: rowOf(row) }))
}

function sees(scope: Scope, ownerPath: readonly number[]): boolean {
  if (scope.kind === 'platform') return true
  return scope.kind === 'own' ? ownerPath.at(-1) === scope.userId : ownerPath.includes(scope.userId)
}

/**
 * The one reader for all viewers of a process. While there are any, it reads what changed since the last poll and sends each viewer their
 * part, so viewers cost no queries of their own.
 */
class Feed {
  readonly #app: App
  readonly #watchers = new Set<Watcher>()
  #running = false

  constructor(app: App) {
    this.#app = app
  }

  add(viewer: Viewer, stream: EventStream): void {
    const watcher: Watcher = {
      viewer,
      scope: scopeOf(viewer),
      stream,
      caughtUp: new Set(),
      balance: '',
      notices: '',
      stopped: '',
      waiting: '',
      followup: '',
    }
    this.#watchers.add(watcher)
    stream.response.on('close', () => this.#watchers.delete(watcher))
    if (!this.#running) void this.#run()
  }

  /** Runs while anybody watches. Polls never overlap; a failed one is made up for by the next. */
  async #run(): Promise<void> {
    this.#running = true
    const sources: Source[] = [
      { event: 'campaigns', read: changedCalls, since: null, seen: new Map(), behind: false },
      { event: 'smsCampaigns', read: changedSmsCampaigns, since: null, seen: new Map(), behind: false },
    ]
    while (this.#watchers.size > 0) {
      try {
        await this.#dropStopped()
        for (const source of sources) await this.#poll(source)
        await this.#sendBalances()
        await this.#sendNotices()
        await this.#sendStops()
        await this.#sendFollowups()
        await this.#sendWaiting()
      } catch (error) {
        this.#app.log.error({ error }, 'changes for the event streams could not be read')
      }
      await sleep(pollMs)
    }
    this.#running = false
  }

  #ids(): number[] {
    return [...new Set([...this.#watchers].map(({ viewer }) => viewer.userId))]
  }

  /** Closes streams of disabled accounts; the client reconnects and learns why. */
  async #dropStopped(): Promise<void> {
    const stopped = await store.stoppedOf(this.#app.db, this.#ids())
    for (const { viewer, stream } of this.#watchers) if (stopped.includes(viewer.userId)) stream.response.end()
  }

  /**
   * Reads what changed since the last poll, and for new viewers what changed shortly before. If that is more than one poll reads, everybody
   * gets the rest.
   */
  async #poll(source: Source): Promise<void> {
    const { event, seen } = source
    const newcomers = source.behind ? [] : [...this.#watchers].filter(({ caughtUp }) => !caughtUp.has(event))
    const since = newcomers.length > 0 ? await this.#recently(source.since) : source.since
    if (!since) return
    const changes = await source.read(this.#app.db, since, rowsMax)
    const news = changes.filter(({ id, changedAt }) => seen.get(id) !== changedAt.getTime())
    source.behind = changes.length === rowsMax
    if (source.behind && newcomers.length > 0) seen.clear()
    for (const { id, changedAt } of news) seen.set(id, changedAt.getTime())
    for (const watcher of this.#watchers) sendCampaigns(watcher, event, newcomers.includes(watcher) ? changes : news)
    for (const { caughtUp } of newcomers) caughtUp.add(event)
    const last = changes.at(-1)?.changedAt ?? since
    source.since = new Date(Math.max(since.getTime(), last.getTime() - (source.behind ? 0 : lateMs)))
    for (const [id, changedAt] of seen) if (changedAt < source.since.getTime()) seen.delete(id)
  }

  /** From when new viewers get changes; not after `since`, which holds for the others. */
  async #recently(since: Date | null): Promise<Date> {
    const recently = (await store.databaseNow(this.#app.db)).getTime() - lateMs
    return new Date(Math.min(recently, since?.getTime() ?? recently))
  }

  async #sendBalances(): Promise<void> {
    const accounts = [...this.#watchers].filter(({ viewer }) => viewer.role !== 'superAdmin')
    const ids = [...new Set(accounts.map(({ viewer }) => viewer.userId))]
    if (ids.length === 0) return
    const balances = new Map((await store.balancesOf(this.#app.db, ids)).map((balance) => [balance.id, balance]))
    for (const watcher of accounts) {
      const balance = balances.get(watcher.viewer.userId)
      if (!balance) continue
      const event = { credits: rupeesOf(balance.paisa), reserved: rupeesOf(balance.reservedPaisa) }
      const text = JSON.stringify(event)
      if (text !== watcher.balance) watcher.stream.send('balance', event)
      watcher.balance = text
    }
  }

  async #sendNotices(): Promise<void> {
    const notices = new Map((await unreadNoticesOf(this.#app.db, this.#ids())).map((of) => [of.userId, of]))
    for (const watcher of this.#watchers) {
      const own = notices.get(watcher.viewer.userId)
      if (!own) continue
      const event = { unread: own.unread, newest: own.newest && own.newest.toISOString() }
      const text = JSON.stringify(event)
      if (text !== watcher.notices) watcher.stream.send('notices', event)
      watcher.notices = text
    }
  }

  /** Shows stops, and their end, on every open screen that they concern. */
  async #sendStops(): Promise<void> {
    const ids = [...new Set([...this.#watchers].map(({ viewer }) => viewer.userId))]
    const stops = await stopsOf(this.#app.db, ids)
    for (const watcher of this.#watchers) {
      const stopped = stops.get(watcher.viewer.userId) ?? []
      const text = JSON.stringify(stopped)
      if (text !== watcher.stopped) watcher.stream.send('dialling', stopped)
      watcher.stopped = text
    }
  }

  async #sendFollowups(): Promise<void> {
    const users = [...this.#watchers].filter(({ viewer }) => viewer.role === 'user')
    if (users.length === 0) return
    const ids = [...new Set(users.map(({ viewer }) => viewer.userId))]
    const followups = await followupsOf(this.#app.db, ids)
    for (const watcher of users) {
      const event = followups.get(watcher.viewer.userId)
      const text = JSON.stringify(event ?? null)
      if (event && text !== watcher.followup) watcher.stream.send('followup', event)
      watcher.followup = text
    }
  }

  /** What waits for super admins, counted once for all of them. */
  async #sendWaiting(): Promise<void> {
    const admins = [...this.#watchers].filter(({ viewer }) => viewer.role === 'superAdmin')
    if (admins.length === 0) return
    const { db } = this.#app
    const event: WaitingEvent = {
      prompts: await waitingPrompts(db),
      alerts: await waitingAlerts(db),
      senders: await waitingSenders(db),
      texts: await waitingTexts(db),
      values: await waitingValues(db),
    }
    const text = JSON.stringify(event)
    for (const watcher of admins) {
      if (text !== watcher.waiting) watcher.stream.send('waiting', event)
      watcher.waiting = text
    }
  }
}

function sendCampaigns({ scope, stream }: Watcher, event: string, changes: readonly Change[]): void {
  const theirs = changes.filter(({ path }) => sees(scope, path)).map(({ row }) => row)
  if (theirs.length > 0) stream.send(event, theirs)
}

const feeds = new WeakMap<App, Feed>()

/** Sends the viewer changes of their campaigns and balance until they leave. */
export function watch(app: App, viewer: Viewer, stream: EventStream): void {
  const feed = feeds.get(app) ?? new Feed(app)
  feeds.set(app, feed)
  feed.add(viewer, stream)
}
