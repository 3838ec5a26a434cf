import type { auditRoutes, AuditRow } from '@ghanti/contract/audit.ts'
import type { InputOf } from '@ghanti/contract/route.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { csvStream, type CsvCell } from '../../csv.ts'
import { instantOf } from '../../http/instant.ts'
import type { Handlers } from '../../http/types.ts'
import { scopeOf } from '../../policy.ts'
import { audit } from './actions.ts'
import { wordsOf } from './rules.ts'
import * as store from './store-list.ts'

type Asked = InputOf<(typeof auditRoutes)['csv']>

function filterOf({ from, to, ...rest }: Asked): store.Filter {
  return { ...rest, from: instantOf('from', from), to: instantOf('to', to) }
}

type Line = Awaited<ReturnType<typeof store.list>>['rows'][number]

function rowOf({ id, at, username, action, target, targetName, ip, detail }: Line): AuditRow {
  return { auditId: id, at: nepalTimeOf(at), username, action, target, targetName, ip, detail: wordsOf(detail) }
}

const columns = ['Time', 'User', 'Action', 'Target', 'Name', 'Detail', 'IP Address']

export const auditHandlers: Handlers<'audit'> = {
  async list({ app, viewer }, input, query) {
    const filter = { ...filterOf(input), search: query.search }
    const page = await store.list(app.db, scopeOf(viewer), filter, query)
    return { ...page, rows: page.rows.map(rowOf) }
  },

  async csv(ctx, input) {
    const { app, viewer } = ctx
    const filter = filterOf(input)
    await audit(app.db, ctx, 'audit.export', null, input)
    async function* rows(): AsyncGenerator<CsvCell[]> {
      for await (const batch of store.all(app.db, scopeOf(viewer), filter))
        for (const line of batch.map(rowOf))
          yield [line.at, line.username, line.action, line.target, line.targetName, line.detail, line.ip]
    }
    return {
      type: 'text/csv; charset=utf-8',
      fileName: 'audit-log.csv',
      body: { stream: csvStream(columns, rows()) },
    }
  },
}
