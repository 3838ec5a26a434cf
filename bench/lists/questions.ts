/**
 * What bench/lists requests: every list of the contract for everybody who may read it, with each filter, search and order, and the worst
 * combinations.
 */
import assert from 'node:assert/strict'
import type { Filter, Filters } from '@ghanti/contract/filters.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { Route } from '@ghanti/contract/route.ts'
import { routes } from '@ghanti/contract/routes.ts'
import { policy, type Viewer } from '@ghanti/server/policy.ts'
import { daysBack, type Fixtures } from './fixtures.ts'

type Question = { text: string; url: string }
export type List = {
  name: string
  viewer: Viewer
  url: string
  questions: Question[]
  /** Orders whose 1,000th page is requested too. */
  orders: readonly string[]
}

export const pageSize = 25
const lastNumberedPage = 400

/** Words that all rows have, few have, and none has; and one that none has and that is too short for an index of three letters. */
const words = (common: string, rare: string) => [common, rare, 'zzzzzz', 'zq']
const numbers = ['9700007919', '97000', '7919', '9811111111', '97', '19']

/** Every list has its line, so that none is forgotten. */
const searches: Record<string, readonly string[]> = {
  'alerts.list': words('operator', '503 to 77'),
  'audit.list': words('renewal', 'campaign.stop'),
  'blacklist.list': numbers,
  'brands.domains': words('example', 'calls7'),
  'callReport.list': numbers,
  'callReport.ofCampaign': numbers,
  'callReport.recordings': numbers,
  'callingHours.exceptions': words('bank', 'user-7'),
  'credits.history': [...words('company', 'receipt 77'), 'camp 1', 'margin'],
  'credits.historyOfUser': [...words('receipt', 'receipt 77'), 'camp 1'],
  'dialers.list': words('machine', '77'),
  'lines.all': [...words('user', 'user-77'), '141', '7777'],
  'lines.allocated': [...words('user', 'user-77'), '141', '7777'],
  'lines.available': [...words('user', 'user-77'), '141', '7777'],
  'lines.clisOfUser': [...words('user', 'user-77'), '141', '7777'],
  'lines.takers': words('company', 'user-77'),
  'notices.list': words('renewal', 'renewal 77'),
  'plans.list': words('tariff', 'tariff 77'),
  'prompts.list': words('greeting', 'greeting 77'),
  'prompts.listAll': [...words('greeting', 'greeting 77'), 'busy-user'],
  'prompts.listOfCustomers': [...words('greeting', 'greeting 77'), 'user-77'],
  'smsCampaigns.list': [...words('company', 'camp 1'), 'renewal', 'complete', '77'],
  'smsCampaigns.report': numbers,
  'smsCampaigns.unapproved': numbers,
  'smsGateways.list': words('gateway', 'gateway 77'),
  'smsInbox.list': numbers,
  'contracts.list': words('contract', 'operator 77'),
  'callRoutes.list': words('route', 'operator 77'),
  'smsRoutes.list': words('alert', 'alert7'),
  'smsSenders.list': words('alert', 'alert7'),
  'smsSenders.listAll': [...words('alert', 'alert7'), 'user-77'],
  'smsTexts.list': words('dear', 'dear 77'),
  'smsTexts.listAll': [...words('dear', 'dear 77'), 'user-77'],
  'trunkDispositions.list': words('busy', '477'),
  'trunks.list': words('operator', 'operator 77'),
  'users.list': [...words('company', 'user-77'), '9800007777', '7777'],
  'users.superAdmins': words('boss', 'name'),
  'voiceCampaigns.list': [...words('company', 'camp 1'), 'renewal', 'complete', 'busy-user', '77'],
  'voiceCampaigns.attempts': numbers,
  'voices.list': words('pack', 'pack 77'),
}

/** Values for choices with many options: one that most rows have, one that few have, one that none has. */
const chosen: Record<string, readonly string[]> = {
  'voiceCampaigns.list status': ['complete', 'cancelled,paused', 'running'],
  'voiceCampaigns.list template': ['1', '8'],
  'voiceCampaigns.attempts disposition': ['ANSWER', 'BUSY,LOST', 'LOST'],
  'callReport.list disposition': ['ANSWER', 'BUSY,LOST', 'LOST'],
  'callReport.ofCampaign disposition': ['ANSWER', 'BUSY,LOST', 'LOST'],
  'callReport.ofCampaign key': ['1', '9'],
  'callReport.ofCampaign operator': ['ntc', 'smart'],
  'callReport.list key': ['1', '9'],
  'callReport.list operator': ['ntc', 'smart'],
  'callReport.list kind': ['campaign', 'callNow'],
  'callReport.recordings disposition': ['ANSWER', 'BUSY,LOST', 'LOST'],
  'callReport.recordings key': ['1', '9'],
  'callReport.recordings operator': ['ntc', 'smart'],
  'callReport.recordings kind': ['campaign', 'callNow'],
  'smsCampaigns.list status': ['complete', 'cancelled,paused', 'running'],
  'smsInbox.list action': ['kept', 'optOut,help', 'optIn'],
  'notices.list kind': ['campaignComplete', 'lowBalance,campaignHeld', 'childChanged'],
  'prompts.list promptCategory': ['welcome', 'action'],
  'prompts.listAll promptCategory': ['welcome', 'action'],
  'prompts.listOfCustomers promptCategory': ['welcome', 'action'],
}

const day = (back: number) => new Date(Date.now() - back * 24 * 3600_000).toISOString().slice(0, 10)
const days = ['today', 'last30', `${day(9)}..${day(9)}`, `..${day(daysBack - 47)}`]

function valuesOf(
  list: string,
  name: string,
  filter: Filter,
  { reseller, user, line, campaignId }: Fixtures,
): readonly string[] {
  switch (filter.kind) {
    case 'choice':
      return chosen[`${list} ${name}`] ?? filter.values
    case 'dates':
      return days
    case 'account':
      return [String(reseller.userId), String(user.userId)]
    case 'campaign':
      return [String(campaignId)]
    case 'number':
      return [String(filter.min + 1)]
    case 'trunk':
      return [String(line.trunkId)]
    case 'dialer':
      return [String(line.dialerId)]
    case 'text': {
      const texts = {
        cli: [line.cli],
        agentNo: ['9800000001'],
        actor: [user.username],
        action: ['campaign', 'auth.login'],
        target: [`user ${user.userId}`],
        campaign: ['company', '77'],
      }
      const values = Object.entries(texts).find(([key]) => key === name)
      assert(values, `${list}: which ${name} is asked for?`)
      return values[1]
    }
  }
}

/** The days of one repeating campaign: a year at most, read by its key. */
const small = new Set(['repeats.days'])

/** Not wholly: each order, each filter and a search once, which shows that the bench can ask all it asks. */
export function listsOf(fixtures: Fixtures, { wholly }: { wholly: boolean }): List[] {
  const all = Object.entries(routes).flatMap(([area, ofArea]) =>
    Object.entries(ofArea).flatMap(([name, route]: [string, Route]) =>
      route.kind === 'list' && !small.has(`${area}.${name}`) ? [{ key: `${area}.${name}`, route }] : [],
    ),
  )
  return all.flatMap(({ key, route }) =>
    [fixtures.user, fixtures.reseller, fixtures.boss]
      .filter(({ role }) => mayRead(key, role))
      .map((viewer) => listOf({ key, route, viewer }, fixtures, wholly)),
  )
}

function mayRead(key: string, role: Role): boolean {
  const allowed = Object.entries<'public' | readonly Role[]>(policy).find(([its]) => its === key)?.[1]
  return allowed !== undefined && allowed !== 'public' && allowed.includes(role)
}

type Of = { key: string; route: Route; viewer: Viewer }

function listOf({ key, route, viewer }: Of, fixtures: Fixtures, wholly: boolean): List {
  const ids: Record<string, number> = {
    // An account's own lines are the busy user's for everybody, because a super admin has none.
    userId: key === 'credits.historyOfUser' ? fixtures.user.userId : viewer.userId,
    campaignId: fixtures.campaignId,
    trunkId: fixtures.line.trunkId,
  }
  const url = route.path.replace(/:(\w+)/g, (_, id: string) => String(ids[id]))
  const orders = route.sort.flatMap((sort) =>
    ['asc', 'desc'].map((way) => `sort=${sort.replace('-', '')}&order=${way}`),
  )
  const texts = searches[key]
  assert(texts, `what is ${key} searched for?`)
  const filters = filtersOf(key, route.filters, viewer, fixtures)
  const narrowed = [
    ...(wholly ? filters : filters.map((values) => values.slice(0, 1))),
    ...(wholly ? texts : texts.slice(0, 1)).map((text) => [`search=${encodeURIComponent(text)}`]),
  ]
  const single = narrowed.flat()
  const asked = [
    ...(wholly ? ['', ...single] : ['']).flatMap((one) =>
      orders.map((order) => [one, order].filter(Boolean).join('&')),
    ),
    ...(wholly ? orders : orders.slice(0, 1)).map((order) => `${order}&page=${lastNumberedPage}`),
    ...single,
    ...(wholly ? pairs(narrowed) : []),
  ]
  return {
    name: `${key} (${viewer.role})`,
    viewer,
    url,
    orders,
    questions: [...new Set(asked)].map((text) => ({
      text,
      url: `${url}?pageSize=${pageSize}&${text.includes('page=') ? '' : 'page=1&'}${text}`,
    })),
  }
}

function filtersOf(key: string, filters: Filters, viewer: Viewer, fixtures: Fixtures): string[][] {
  return Object.entries(filters)
    .filter(([, { kind }]) => kind !== 'account' || viewer.role !== 'user')
    .filter(([, { kind }]) => (kind !== 'trunk' && kind !== 'dialer') || viewer.role === 'superAdmin')
    .map(([name, filter]) =>
      valuesOf(key, name, filter, fixtures).map((value) => `${name}=${encodeURIComponent(value)}`),
    )
}

function pairs(narrowed: readonly string[][]): string[] {
  const isSearch = (text: string) => text.startsWith('search=')
  return narrowed.flatMap((ones, i) =>
    narrowed
      .slice(i + 1)
      .flatMap((others) => ones.flatMap((one) => others.map((other) => [one, other] as const)))
      .filter(([one, other]) => !(isSearch(one) && isSearch(other)))
      .map(([one, other]) => `${one}&${other}`),
  )
}
