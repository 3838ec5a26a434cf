import type { OptOut } from '@ghanti/contract/sms-inbox.ts'
import type { Pool } from 'pg'
import * as z from 'zod/mini'
import type { IncomingMessage } from '../../drivers/sms/driver.ts'
import { settings } from '../../modules/platform/rules.ts'
import { keepIncomingOver } from '../../modules/sms-inbox/actions.ts'
import { handleWord, keepOrdinary, waitingWords, type WaitingWord } from './inbox.sql.ts'
import type { SmsLease } from '../model/lease.sql.ts'
import { loadSmsSettings } from '../model/snapshot.sql.ts'

const atOnce = 500
/** How long to wait for the lock of a list into which a file is being stored, so that other numbers do not wait for it. */
const lockMs = 500
const wordsARound = 500

/** Resolves when they are stored, once each, however often the gateway sends them. */
export async function takeIn(pool: Pool, gatewayId: number, these: readonly IncomingMessage[]): Promise<void> {
  await keepIncomingOver(pool, gatewayId, these, await optOutOf(pool))
}

async function optOutOf(pool: Pool): Promise<OptOut> {
  const { key, schema, fallback } = settings.optOut
  return z.parse(schema, (await loadSmsSettings(pool, [key])).get(key) ?? fallback)
}

/**
 * Finds the accounts of the waiting messages and does what their words ask for, each once, and those of a number in order. Returns what could
 * not be done yet. When a number's message failed, its later ones wait too.
 */
export async function handleIncoming(
  pool: Pool,
  lease: SmsLease,
  signal: AbortSignal,
): Promise<{ failed: { inboxId: number; error: unknown }[] }> {
  while (!signal.aborted && (await keepOrdinary(pool, lease, atOnce)) === atOnce);
  const failed: { inboxId: number; error: unknown }[] = []
  const waiting = await waitingWords(pool, wordsARound)
  if (waiting.length === 0) return { failed }
  const answers = await optOutOf(pool)
  const late = new Set<number | null>()
  for (const one of waiting) {
    if (signal.aborted) break
    if (late.has(one.phone)) continue
    await handleOne(pool, lease, one, answers).catch((error: unknown) => {
      late.add(one.phone)
      failed.push({ inboxId: one.id, error })
    })
  }
  return { failed }
}

async function handleOne(pool: Pool, lease: SmsLease, message: WaitingWord, answers: OptOut): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = ${lockMs}`)
    await handleWord(client, lease, message, answerOf(message, answers))
    await client.query('commit')
    client.release()
  } catch (error) {
    await client.query('rollback').then(
      () => client.release(),
      () => client.release(true),
    )
    throw error
  }
}

/** Null: this word is not answered. */
function answerOf({ word }: WaitingWord, { confirm, confirmText, help, helpText }: OptOut): string | null {
  if (word === 'stop') return confirm ? confirmText : null
  return word === 'help' && help ? helpText : null
}
