import { ownValue } from '@ghanti/contract/own-values.ts'
import type { auditRoutes, AuditRow } from '@ghanti/contract/audit.ts'
import { auditActionWords, auditRoleWords, nobodyWords } from '@ghanti/contract/audit-words.ts'
import { rangeOf } from '@ghanti/contract/range.ts'
import type { InputOf } from '@ghanti/contract/route.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { csvStream, csvType, type CsvCell } from '../../lib/csv.ts'
import type { Db } from '../../db/db.ts'
import type { Ctx, Handlers } from '../../http/types.ts'
import { scopeOf } from '../../policy.ts'
import { audit } from './actions.ts'
import { detailsOf, idsIn, targetWordsOf, wordsOf } from './rules.ts'
import * as store from './store-list.ts'

type Asked = InputOf<(typeof auditRoutes)['csv']>

function filterOf({ app, viewer }: Ctx, { date, ...rest }: Asked): store.Filter {
  return { ...rest, viewerId: viewer.userId, ...rangeOf(date, app.clock.now()) }
}

type Line = Awaited<ReturnType<typeof store.list>>['rows'][number]

async function rowsOf(db: Db, lines: readonly Line[]): Promise<AuditRow[]> {
  const names = await store.namesOf(db, idsIn(lines.map((line) => line.detail)))
  return lines.map(({ id, at, username, role, action, target, targetName, ip, detail }) => {
    const details = detailsOf(detail, names)
    const said = { detail: wordsOf(details), details }
    return { auditId: id, at: nepalTimeOf(at), username, role, action, target, targetName, ip, ...said }
  })
}

const columns = ['Time', 'User', 'User type', 'Action', 'Target', 'Name', 'Details', 'IP address']

/** Worded like the screen; the target's name has its own column. */
function cellsOf({ at, username, role, action, target, targetName, detail, ip }: AuditRow): CsvCell[] {
  const said = ownValue(auditActionWords, action) ?? action
  return [
    at,
    username ?? nobodyWords,
    role === null ? '' : auditRoleWords[role],
    said,
    targetWordsOf(target),
    targetName,
    detail,
    ip,
  ]
}

export const auditHandlers: Handlers<'audit'> = {
  async list(ctx, input, query) {
    const { app, viewer } = ctx
    const filter = { ...filterOf(ctx, input), search: query.search }
    const page = await store.list(app.db, scopeOf(viewer), filter, query)
    const rows = await rowsOf(app.db, page.rows)
    return { ...page, rows }
  },

  async csv(ctx, input) {
    const { app, viewer } = ctx
    const filter = filterOf(ctx, input)
    await audit(app.db, ctx, 'audit.export', null, input)
    async function* rows(): AsyncGenerator<CsvCell[]> {
      for await (const batch of store.all(app.db, scopeOf(viewer), filter))
        for (const line of await rowsOf(app.db, batch)) yield cellsOf(line)
    }
    return {
      type: csvType,
      fileName: 'audit-log.csv',
      body: { stream: csvStream(columns, rows()) },
    }
  },
}
