import { createHmac, randomBytes } from 'node:crypto'
import type { App } from '../../app.ts'
import { deriveKey, isSameText } from '../../lib/secrets.ts'
import { deviceKnownDays } from './rules-throttle.ts'

/** The account a browser signed in as. Each password change replaces `deviceKey`. */
export type DeviceOwner = { userId: number; deviceKey: string }

type DeviceApp = { config: Pick<App['config'], 'secret'>; clock: App['clock'] }

const accountsMax = 5
const cookieMax = 1000
/** Account, day of the sign-in, the browser's id, signature of the server, signature with the account's key. */
const entryForm = /^(\d{1,10})\.(\d{1,6})\.([\w-]{22})\.[\w-]{22}\.[\w-]{22}$/
const between = '~'
const dayMs = 24 * 3600_000

/** The browser's id, if it signed in as this account since its last password change; otherwise null. */
export function deviceOf(app: DeviceApp, cookie: string | null, owner: DeviceOwner): string | null {
  const today = dayOf(app)
  for (const entry of entriesOf(cookie)) {
    const [, userId, day, deviceId] = entryForm.exec(entry) ?? []
    if (Number(userId) !== owner.userId || !deviceId || today - Number(day) > deviceKnownDays) continue
    if (isSameText(entry, signed(app, owner, Number(day), deviceId))) return deviceId
  }
  return null
}

/**
 * The new cookie: this account first, then those the browser signed in as before. `before`: the account before this browser changed its password, by
 * which the browser stays the same.
 */
export function deviceCookie(app: DeviceApp, cookie: string | null, owner: DeviceOwner, before?: DeviceOwner): string {
  const deviceId = deviceOf(app, cookie, owner) ?? (before && deviceOf(app, cookie, before)) ?? newDeviceId(dayOf(app))
  const others = entriesOf(cookie).filter((entry) => !entry.startsWith(`${owner.userId}.`))
  return [signed(app, owner, dayOf(app), deviceId), ...others].slice(0, accountsMax).join(between)
}

/** The day on which it was made, and 13 random bytes: so the cookie says how long a browser has been known, and nothing is stored. */
function newDeviceId(day: number): string {
  const id = randomBytes(16)
  id.writeUIntBE(day, 0, 3)
  return id.toString('base64url')
}

/** Days since this browser first signed in as this account; null: it never did since the password was changed elsewhere. */
export function daysKnown(app: DeviceApp, cookie: string | null, owner: DeviceOwner): number | null {
  const deviceId = deviceOf(app, cookie, owner)
  if (deviceId === null) return null
  const days = dayOf(app) - Buffer.from(deviceId, 'base64url').readUIntBE(0, 3)
  return days < 0 ? deviceKnownDays : days // an id from before ids had a day
}

const dayOf = (app: DeviceApp): number => Math.floor(app.clock.now().getTime() / dayMs)

function entriesOf(cookie: string | null): string[] {
  if (cookie === null || cookie.length > cookieMax) return []
  return cookie.split(between).filter((entry) => entryForm.test(entry))
}

/** The accounts that this server says the browser signed in as, perhaps before a password change. Asks no database. */
export function accountsSignedIn(app: DeviceApp, cookie: string | null): number[] {
  return entriesOf(cookie).flatMap((entry) => {
    const [userId, day, deviceId, server] = entry.split('.')
    return server !== undefined && isSameText(server, mac(app, `${userId}.${day}.${deviceId}`)) ? [Number(userId)] : []
  })
}

function signed(app: DeviceApp, { userId, deviceKey }: DeviceOwner, day: number, deviceId: string): string {
  const said = `${userId}.${day}.${deviceId}`
  return `${said}.${mac(app, said)}.${mac(app, `${said}.${deviceKey}`)}`
}

function mac({ config }: DeviceApp, said: string): string {
  const whole = createHmac('sha256', deriveKey(config.secret, 'device cookie')).update(said).digest()
  return whole.subarray(0, 16).toString('base64url')
}
