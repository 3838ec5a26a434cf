import { contactFileFilters, contactRoutes } from '@ghanti/contract/contacts.ts'
import type { Filters } from '@ghanti/contract/filters.ts'
import { insightRoutes } from '@ghanti/contract/insight.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { Route } from '@ghanti/contract/route.ts'
import { routes, type RouteKey } from '@ghanti/contract/routes.ts'
import { policy } from './policy.ts'

export type Viewable = { key: RouteKey; path: string; filters: Filters; sort: readonly string[] }

/** Every list of the contract; contact files, which the console searches itself; and figures, which have filters like lists. */
const viewable: readonly Viewable[] = [
  ...Object.entries(routes).flatMap(([area, ofArea]) =>
    Object.entries(ofArea).flatMap(([name, { kind, path, filters, sort }]: [string, Route]) =>
      kind === 'list' ? [{ key: `${area}.${name}` as RouteKey, path, filters, sort }] : [],
    ),
  ),
  { key: 'contacts.bases', path: contactRoutes.bases.path, filters: contactFileFilters, sort: [] },
  { key: 'insight.calls', path: insightRoutes.calls.path, filters: insightRoutes.calls.filters, sort: [] },
  { key: 'insight.messages', path: insightRoutes.messages.path, filters: insightRoutes.messages.filters, sort: [] },
]

/** The list of that path, with the filters that the role may use. Trunks and dialers are for super admins. */
export function listOf(path: string, role: Role): Viewable | undefined {
  const found = viewable.find(({ key, path: its }) => {
    const allowed: 'public' | readonly Role[] = policy[key]
    return its === path && allowed !== 'public' && allowed.includes(role)
  })
  if (!found || role === 'superAdmin') return found
  const usable = Object.entries(found.filters).filter(([, { kind }]) => kind !== 'trunk' && kind !== 'dialer')
  return { ...found, filters: Object.fromEntries(usable) }
}
