import { randomBytes } from 'node:crypto'
import { wrongCodesMax } from '@ghanti/contract/factors.ts'
import type { App } from '../../app.ts'
import type { Db, Tx } from '../../db/db.ts'
import { hashOf } from '../../lib/secrets.ts'
import * as rules from './rules.ts'
import { deleteOldChallenges } from './store-passkeys.ts'
import * as store from './store.ts'

type TicketApp = Pick<App, 'db' | 'clock'>

/** `counted`: the try that the sign-in counts as until it is over. It is kept as JSON. */
export async function giveTicket(
  { db, clock }: TicketApp,
  { userId, deviceKey, counted }: { userId: number; deviceKey: string; counted: unknown },
): Promise<string> {
  const ticket = randomBytes(32).toString('base64url')
  await store.insertCeremony(db, {
    tokenHash: hashOf(ticket),
    userId,
    kind: 'signIn',
    deviceKey,
    counted: JSON.stringify(counted),
    expiresAt: new Date(clock.now().getTime() + rules.ticketMs),
  })
  return ticket
}

type Ticket = { userId: number; deviceKey: string; counted: unknown; tries: number; isLast: boolean }

/** Counts a try of it. 'tried' when it had its five; null when it is over, or none of ours. */
export async function tryTicket({ db, clock }: TicketApp, ticket: string): Promise<Ticket | 'tried' | null> {
  const open = { tokenHash: hashOf(ticket), kind: 'signIn', now: clock.now() } as const
  const found = await store.takeTry(db, open, wrongCodesMax)
  if (!found) return (await store.isTriedOut(db, open, wrongCodesMax)) ? 'tried' : null
  const { userId, deviceKey, counted, tries } = found
  return { userId, deviceKey: deviceKey ?? '', counted, tries, isLast: tries >= wrongCodesMax }
}

/** Whose ticket it is, without counting a try; null: it is over. */
export async function ownerOfTicket({ db, clock }: TicketApp, ticket: string): Promise<number | null> {
  const open = { tokenHash: hashOf(ticket), kind: 'signIn', now: clock.now() } as const
  return (await store.ownerOf(db, open)) ?? null
}

export function giveBackTry(db: Db, ticket: string): Promise<void> {
  return store.giveBackTry(db, hashOf(ticket))
}

/** Of any number of uses at once, one is true. */
export function useTicket(tx: Tx, ticket: string): Promise<boolean> {
  return store.endCeremony(tx, hashOf(ticket))
}

export async function forgetOldCeremonies({ db, clock }: TicketApp): Promise<void> {
  await store.deleteOldCeremonies(db, clock.now())
  await deleteOldChallenges(db, clock.now())
}
