import { dialable, nationalOf, phoneDigits, whyNotDialable } from '@ghanti/contract/phone.ts'
import type { InputOf } from '@ghanti/contract/route.ts'
import type { trunkRoutes } from '@ghanti/contract/trunks.ts'
import type { Db, Tx } from '../../db/db.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { audit } from '../audit/actions.ts'
import { platformBlacklists } from '../blacklist/actions.ts'
import * as store from './store-tests.ts'
import { lockTrunk } from './store-trunks.ts'

type Asked = InputOf<typeof trunkRoutes.test>

/** Queues the test for the engine that holds the trunk's dialer, which polls every half second. Refused when no engine does. */
export async function askTest(ctx: Ctx, asked: Asked): Promise<number> {
  const { app, viewer } = ctx
  const { trunkId, testKind: kind } = asked
  return app.db.transaction().execute(async (tx) => {
    const trunk = await lockTrunk(tx, trunkId)
    if (!trunk) throw new AppError('not_found')
    const call = kind === 'call' ? await callOf(tx, asked, trunk.pilot_number) : { phone: null, cli: null }
    if (!(await store.holderOf(tx, trunk.dialer_id)))
      throw conflict('trunkId', `cannot be tested: no engine holds its dialer '${trunk.dialer_name}'`, 'no_engine')
    if (await store.isTesting(tx, trunkId)) throw conflict('trunkId', 'is being tested already', 'busy')
    const test = { trunk_id: trunkId, dialer_id: trunk.dialer_id, kind, ...call, by_user_id: viewer.userId }
    const testId = await store.insertTest(tx, test)
    await audit(tx, ctx, 'trunk.test', `trunk ${trunkId}`, { testId, kind })
    return testId
  })
}

/** Which number a test call rings and which caller ID it shows. Blacklists apply to tests too. */
async function callOf(tx: Tx, { trunkId, number, cli }: Asked, pilot: string): Promise<{ phone: number; cli: string }> {
  if (number === undefined) throw badField('number', 'is required', 'required')
  const phone = dialable(number)
  if (!phone) throw badField('number', whyNotDialable(number), 'not_dialable')
  const stopped = await store.platformStop(tx)
  if (stopped !== undefined)
    throw conflict('trunkId', `cannot be called over: all dialling of the platform is stopped (${stopped})`, 'stopped')
  const digits = phoneDigits(phone)
  if (await platformBlacklists(tx, digits)) throw badField('number', 'is blacklisted', 'blacklisted')
  const clis = await store.clisOfTrunk(tx, trunkId)
  if (cli !== undefined && !clis.includes(cli)) throw badField('cli', 'is not a caller ID of this trunk', 'not_found')
  return { phone: digits, cli: cli ?? clis[0] ?? nationalOf(pilot.replace(/[ -]/g, '')) }
}

/** A test whose engine stopped reporting has failed. */
export function outcomeOf(test: store.TrunkTest): { passed: boolean | null; result: string | null } {
  const { overdue, taken_at, passed, result } = test
  if (!overdue) return { passed, result }
  const text =
    taken_at === null
      ? 'no engine took it up within 10 seconds'
      : 'the engine that ran it went away: nobody knows how it ended'
  return { passed: false, result: text }
}

export function forgetOldTests(db: Db): Promise<void> {
  return store.forgetOldTests(db)
}
