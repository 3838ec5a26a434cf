import { operatorOfCode } from '@ghanti/contract/operators.ts'
import type { Trace, traceFormats, TrunkQuality } from '@ghanti/contract/traces.ts'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { Ctx, FileReply } from '../../http/types.ts'
import { auditRead } from '../audit/actions.ts'
import { pcapOf } from './rules-pcap.ts'
import { messagesOf, qualityOf, textOf, traceOf, type OfTrunks } from './rules.ts'
import * as store from './store.ts'

/** The messages contain numbers, so opening them leaves an audit line, which the account that made the call can read. */
async function opened(
  ctx: Ctx,
  action: 'trace.open' | 'trace.download',
  of: Parameters<typeof store.findTraces>[1],
): Promise<OfTrunks> {
  const [first, ...others] = await store.findTraces(ctx.app.db, of)
  if (!first) throw new AppError('not_found')
  const target = first.attempt_id === null ? `trunk ${first.trunk_id}` : `attempt ${first.attempt_id}`
  await auditRead(ctx, { action, target, ownerId: first.owner_id ?? ctx.viewer.userId })
  return [first, ...others]
}

export async function traceOfCall(ctx: Ctx, attemptId: number): Promise<Trace> {
  return traceOf(await opened(ctx, 'trace.open', { attemptId }))
}

export async function traceOfTest(ctx: Ctx, testId: number): Promise<Trace> {
  return traceOf(await opened(ctx, 'trace.open', { testId }))
}

export async function downloadTrace(
  ctx: Ctx,
  traceId: number,
  format: (typeof traceFormats)[number],
): Promise<FileReply> {
  const messages = messagesOf(await opened(ctx, 'trace.download', { traceId }))
  const fileOf = (type: string, ending: string, bytes: () => Buffer): FileReply => ({
    type,
    fileName: `sip-${traceId}.${ending}`,
    body: { make: async () => bytes() },
  })
  return format === 'pcap'
    ? fileOf('application/vnd.tcpdump.pcap', 'pcap', () => pcapOf(messages))
    : fileOf('text/plain; charset=utf-8', 'txt', () => Buffer.from(textOf(messages)))
}

export async function trunkQuality({ app }: Ctx, trunkId: number): Promise<TrunkQuality> {
  const trunk = await store.findTrunk(app.db, trunkId)
  if (!trunk) throw new AppError('not_found')
  const rows = await store.qualityOfTrunk(app.db, trunkId, app.clock.now())
  const all = rows.reduce(added, { ...none })
  return {
    trunkName: trunk.name,
    all: qualityOf(all),
    operators: rows.map((row) => ({ operator: operatorOfCode(row.operator) ?? 'other', ...qualityOf(row) })),
  }
}

const none: store.QualitySums = {
  operator: 0,
  calls: 0,
  answered: 0,
  pdd_calls: 0,
  pdd_ms: 0,
  sampled: 0,
  received: 0,
  received_lost: 0,
  received_jitter_us: 0,
  reported: 0,
  sent: 0,
  sent_lost: 0,
  sent_jitter_us: 0,
}

function added(one: store.QualitySums, other: store.QualitySums): store.QualitySums {
  const names = Object.keys(none) as (keyof store.QualitySums)[]
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as store.QualitySums
}

/** Deletes messages after two weeks, and counted samples after more than a year. */
export function forgetOldTraces(db: Db): Promise<void> {
  return store.forgetOld(db)
}
