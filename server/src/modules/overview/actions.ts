import {
  firstSteps,
  overviewRowsMax,
  type OwnOverview,
  type PlatformOverview,
  type ResellerOverview,
  type StartOverview,
} from '@ghanti/contract/overview.ts'
import { rupeesOf } from '@ghanti/contract/money.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { App } from '../../app.ts'
import type { Ctx } from '../../http/types.ts'
import { AnswerCache } from '../../lib/answer-cache.ts'
import { scopeOf, type Viewer } from '../../policy.ts'
import { newestAlerts, waitingAlerts } from '../alerts/actions.ts'
import { balanceOf } from '../credits/actions.ts'
import { trunksNow } from '../dialers/actions-now.ts'
import { lasting, moneyOfMonth, trunksToday } from '../insight/actions-money.ts'
import { everyBlock } from '../platform/actions.ts'
import { waitingPrompts } from '../prompts/actions.ts'
import { waitingValues } from '../sms-campaigns/actions-find.ts'
import { waitingSenders } from '../sms-senders/actions.ts'
import { waitingTexts } from '../sms-texts/actions.ts'
import { callsNow } from './actions-now.ts'
import { trunksShown } from './rules.ts'
import * as store from './store.ts'
import { stepsDone } from './store-start.ts'

/** Dashboards poll; concurrent requests share one read. */
const knownOfReseller = new AnswerCache<ResellerOverview>({ max: 1000, ms: 2000 })
const knownOfPlatform = new AnswerCache<PlatformOverview>({ max: 1, ms: 1000 })

export async function ownOverview({ app, viewer }: Ctx): Promise<OwnOverview> {
  const { db, clock } = app
  const now = clock.now()
  const { userId } = viewer
  const [calls, { paisa, reservedPaisa }, limit, needs] = await Promise.all([
    viewer.role === 'user' ? callsNow(app, viewer) : null,
    balanceOf(db, userId),
    store.lowBalanceLimit(db, userId),
    store.needsOf(db, userId, now),
  ])
  const free = paisa - reservedPaisa
  const low = { kind: 'lowBalance' as const, count: 1, about: null, reason: null }
  return {
    lasts: viewer.role === 'user' ? await lasting(db, userId, free, now) : null,
    now: calls,
    lowBalanceLimit: rupeesOf(limit),
    needs: free < limit ? [low, ...needs] : needs,
  }
}

export async function startOverview({ db }: App, viewer: Viewer): Promise<StartOverview> {
  const done = await stepsDone(db, viewer)
  return { steps: firstSteps[viewer.role].map((step) => ({ step, isDone: done.has(step) })) }
}

export function resellerOverview({ app, viewer }: Ctx): Promise<ResellerOverview> {
  return knownOfReseller.get(app, `${viewer.userId}`, () => readReseller(app, viewer))
}

async function readReseller(app: App, viewer: Viewer): Promise<ResellerOverview> {
  const { db } = app
  const now = app.clock.now()
  const [calls, money, low, trouble] = await Promise.all([
    callsNow(app, viewer),
    moneyOfMonth(db, viewer.userId, now, overviewRowsMax),
    store.lowBalances(db, viewer.userId, now, overviewRowsMax),
    store.troubles(db, scopeOf(viewer), now, overviewRowsMax),
  ])
  return {
    now: calls,
    ...money,
    low: low.map(({ userId, username, free, limit }) => {
      return { userId, username, free: rupeesOf(free), limit: rupeesOf(limit) }
    }),
    lowInAll: low[0]?.inAll ?? 0,
    trouble: trouble.map(({ row }) => row),
    troubleInAll: trouble[0]?.inAll ?? 0,
  }
}

export function platformOverview({ app, viewer }: Ctx): Promise<PlatformOverview> {
  return knownOfPlatform.get(app, '', () => readPlatform(app, viewer))
}

async function readPlatform(app: App, viewer: Viewer): Promise<PlatformOverview> {
  const { db, clock } = app
  const [calls, trunks, today, stopped, alerts, open, others, prompts, senders, texts, values] = await Promise.all([
    callsNow(app, viewer),
    trunksNow(db),
    trunksToday(db, clock.now()),
    everyBlock(db),
    newestAlerts(db, overviewRowsMax),
    waitingAlerts(db),
    store.waitingOthers(db),
    waitingPrompts(db),
    waitingSenders(db),
    waitingTexts(db),
    waitingValues(db),
  ])
  return {
    now: calls,
    ...trunksShown(trunks.map((trunk) => trunkOf(trunk, today.get(trunk.trunkId)))),
    waiting: { prompts, senders, texts, values, ...others },
    alerts: {
      open,
      first: alerts.map(({ id, at, kind, subject, detail }) => {
        return { alertId: id, raisedAt: nepalTimeOf(at), kind, subject, detail }
      }),
    },
    stopped: stopped.map(({ id, target, reason, by, at }) => {
      return { dialBlockId: id, target, reason, by, since: nepalTimeOf(at) }
    }),
  }
}

type TrunkRead = Awaited<ReturnType<typeof trunksNow>>[number]

function trunkOf(
  { trunkId, trunkName, cps, channels, state }: TrunkRead,
  today: PlatformOverview['trunks'][number]['today'] = { calls: 0, asr: null },
): PlatformOverview['trunks'][number] {
  const now = state && {
    callsPerSecond: state.callsPerSecond,
    channelsUsed: state.channelsUsed,
    held: state.unusable ?? state.held?.reason ?? null,
    reachable: state.reachable,
  }
  return { trunkId, trunkName, now, cps: Math.min(cps, state?.takes ?? cps), channels, today }
}
