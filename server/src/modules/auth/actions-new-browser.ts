import type { App } from '../../app.ts'
import type { Origin } from '../../http/types.ts'
import { programOf } from '../security/rules.ts'
import { accountsSignedIn, daysKnown } from './actions-device.ts'
import { accountKnownSeconds, networkKnownSeconds, networkOf } from './rules-throttle.ts'
import * as limits from './store-limits.ts'
import * as store from './store.ts'

/**
 * Whether an account signs in from what it has not signed in from: a browser without our cookie, and a program of this family that was not seen in
 * this network for 90 days. So a program that keeps no cookies is new once in each network. The first sign-in of an account is none.
 */
export async function isNewBrowser(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  { userId, cookie }: { userId: number; cookie: string | null },
  { ip, userAgent }: Origin,
): Promise<boolean> {
  const { browser, system } = programOf(userAgent)
  const account = `seen ${userId}`
  const program = `${account} ${networkOf(ip)} ${browser} ${system}`
  const [programMs, accountMs] = await limits.lifetimesMs(app.db, [program, account])
  const isKnown = accountsSignedIn(app, cookie).includes(userId) || programMs > 0
  const isFirst = accountMs === 0
  await limits.keep(app.db, account, accountKnownSeconds)
  await limits.keep(app.db, program, networkKnownSeconds)
  return !isKnown && !isFirst
}

/** Whether this browser first signed in to the account at least `days` ago: whoever steals a password cannot bring that about in a hurry. */
export async function isBrowserKnown(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  cookie: string | null,
  userId: number,
  days: number,
): Promise<boolean> {
  const deviceKey = await store.deviceKeyOf(app.db, userId)
  return (daysKnown(app, cookie, { userId, deviceKey }) ?? 0) >= days
}

/** What an account is told of where something came from. */
export const fromOf = ({ ip, userAgent }: Origin) => ({ network: networkOf(ip), userAgent })
