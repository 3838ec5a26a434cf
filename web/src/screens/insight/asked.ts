import { insightRoutes } from '@ghanti/contract/insight.ts'
import { readFilters } from '../../components/table/filters/filters.ts'
import { rowSorts } from './sorts.ts'

type What = 'calls' | 'messages'

export const others = ['what', 'account']

/** What the URL asks for. An account that is no number means the viewer's own. */
export function askedOf(params: URLSearchParams, own: number) {
  const what: What = params.get('what') === 'messages' ? 'messages' : 'calls'
  const account = params.get('account') ?? ''
  const userId = /^[1-9]\d{0,8}$/.test(account) ? Number(account) : own
  const { path, filters } = insightRoutes[what]
  const { set } = readFilters(params, filters, others)
  return { what, userId, sent: { userId, ...set }, list: { path, filters, sort: rowSorts } }
}
