import type { FaultCode } from '@ghanti/contract/error-codes.ts'
import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../app.ts'
import { isDatabaseUnreachable } from '../../db/servers/unreachable.ts'
import { AppError, badField, outcomeUnknown, wireOf } from '../../errors.ts'
import { deriveKey } from '../../lib/secrets.ts'
import * as store from './store-idempotency.ts'

/**
 * Runs `work` at most once per key, user and body (docs/design.md#idempotency). A repeated request gets the first answer, refusals included,
 * for 24 hours. A key may be used again only when nothing was done: the request was turned away for now (429, 503; actions say so before they
 * write). An unforeseen failure, a crash or a lost connection may have come after the commit. The key then stays taken, and a repeated request
 * is told to look.
 */
export async function once(
  app: Pick<App, 'config' | 'db' | 'log'>,
  request: { userId: number; key: string; method: string; path: string; said: unknown },
  work: () => Promise<unknown>,
): Promise<store.StoredAnswer> {
  if (request.key.length > 200) throw badField('Idempotency-Key', 'is longer than 200 characters')
  // Bodies contain passwords, so what is stored of a body must be useless to anybody who reads the table or a backup.
  const bodyHash = createHmac('sha256', deriveKey(app.config.secret, 'idempotency'))
    .update(`${request.method} ${request.path} ${JSON.stringify(request.said)}`)
    .digest()
  const use = { userId: request.userId, key: request.key, bodyHash, claim: randomUUID() }
  const giveBack = () => store.giveKeyBack(app.db, use)
  const claimed = await store.claimKey(app.db, use).catch((error: unknown) => {
    // The key may be claimed by us although the database's answer was lost. Nothing was done under it.
    if (isDatabaseUnreachable(error)) void storeOutcome(app, giveBack)
    throw error
  })
  if (claimed.state === 'answered') return claimed
  if (claimed.state !== 'new') throw refusalOf(claimed.state)
  // An answer that cannot be stored is still sent; the outcome under its key is then unknown.
  const settle = (store: () => Promise<void>) => storeOutcome(app, store)
  try {
    const answer = { status: 200, reply: await work() }
    await settle(() => store.storeAnswer(app.db, use, answer))
    return answer
  } catch (error) {
    if (!(error instanceof AppError)) await settle(() => store.markUnknown(app.db, use))
    else if (wireOf[error.code].status >= 429) await settle(giveBack)
    else {
      const { message, errors, file } = error
      const reply = { message, errors, ...(file && { file }) }
      await settle(() => store.storeAnswer(app.db, use, { status: wireOf[error.code].status, reply }))
    }
    throw error
  }
}

const storeAgainMs = 1000
const storeTries = 60

/**
 * Retries for a minute while the database is unavailable, without delaying the reply. A client that repeats the request soon then learns the outcome,
 * and not only that a request is in progress.
 */
async function storeOutcome(app: Pick<App, 'log'>, write: () => Promise<void>): Promise<void> {
  const again = async (error: unknown): Promise<void> => {
    app.log.error({ error }, 'the outcome of a key could not be stored')
    for (let tries = 0; tries < storeTries && isDatabaseUnreachable(error); tries++) {
      await sleep(storeAgainMs, undefined, { ref: false })
      const failed = await write().then(
        () => null,
        (fault: unknown) => ({ fault }),
      )
      if (!failed) return
      error = failed.fault
    }
  }
  await write().catch((error: unknown) => void again(error))
}

function refusalOf(state: 'other_body' | 'in_flight' | 'unknown'): AppError {
  if (state === 'unknown') return new AppError('conflict', outcomeUnknown.errors, { message: outcomeUnknown.message })
  const about = (code: FaultCode, text: string) => [{ field: 'Idempotency-Key', code, text }]
  if (state === 'other_body') return new AppError('key_reused', about('key_reused', 'was used with another request'))
  return new AppError('conflict', about('in_flight', 'belongs to a request that is under way'))
}
