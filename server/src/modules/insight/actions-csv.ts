import type { insightRoutes } from '@ghanti/contract/insight.ts'
import type { InputOf } from '@ghanti/contract/route.ts'
import { csvStream, csvType } from '../../lib/csv.ts'
import type { Ctx, FileReply } from '../../http/types.ts'
import { audit } from '../audit/actions.ts'
import { searchedWords } from '../audit/rules.ts'
import { callInsight, messageInsight } from './actions.ts'
import { callTable, messageTable, type CsvTable } from './rules-csv.ts'

type CallsInput = InputOf<typeof insightRoutes.callsCsv>
type MessagesInput = InputOf<typeof insightRoutes.messagesCsv>

export async function callsCsv(ctx: Ctx, { table, ...asked }: CallsInput): Promise<FileReply> {
  const answer = await callInsight(ctx, asked)
  return await sent(
    ctx,
    asked,
    `insight-calls-${table}-${answer.from}-${answer.to}.csv`,
    callTable(answer, table, ctx.viewer.role),
  )
}

export async function messagesCsv(ctx: Ctx, { table, ...asked }: MessagesInput): Promise<FileReply> {
  const answer = await messageInsight(ctx, asked)
  return await sent(
    ctx,
    asked,
    `insight-messages-${table}-${answer.from}-${answer.to}.csv`,
    messageTable(answer, table),
  )
}

async function sent(
  ctx: Ctx,
  { userId, ...filters }: { userId: number },
  fileName: string,
  { header, lines }: CsvTable,
): Promise<FileReply> {
  await audit(ctx.app.db, ctx, 'insight.export', `user ${userId}`, {
    fileName,
    search: searchedWords(undefined, filters),
  })
  return { type: csvType, fileName, body: { stream: csvStream(header, lines) } }
}
