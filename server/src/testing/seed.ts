import { createHash, randomBytes } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { mintId } from '../db/platform-accounts.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { App } from '../app.ts'
import type { Db } from '../db/db.ts'
import { moveCredits } from '../modules/credits/actions-move.ts'
import { createAccount } from '../modules/users/actions-create.ts'
import type { Viewer } from '../policy.ts'
import * as store from '../demo/store-demo.ts'

export const seededPassword = 'correct horse battery'
/** A hash says what it costs to check: tests sign in thousands of times. passwords.test.ts has the cost of real ones. */
const cheap = { algorithm: 2, memoryCost: 64, timeCost: 1, parallelism: 1 }
let hashed: Promise<string> | undefined
let serial = 0

type HasDb = { db: Db }
export type Person = {
  username?: string
  /** Transferred from the mint, so that all balances still sum to zero. */
  rupees?: number
  planId?: number
  channels?: number
  expiresAt?: Date
}

async function newPerson(app: HasDb, role: Role, parentId: number | null, person: Person): Promise<Viewer> {
  hashed ??= hash(seededPassword, cheap)
  const passwordHash = await hashed
  const username = person.username ?? `${role}${++serial}`
  const userId = await app.db.transaction().execute((tx) =>
    createAccount(tx, {
      role,
      parentId,
      username,
      passwordHash,
      name: `Name of ${username}`,
      emailid: `${username}@example.com`,
      isMailConfirmed: true,
      number: `98${10_000_000 + ++serial}`,
      company: `Company of ${username}`,
      pincode: '44600',
      planId: person.planId ?? null,
      channels: role === 'superAdmin' ? null : (person.channels ?? 30),
      expiresAt: person.expiresAt ?? null,
    }),
  )
  if (person.rupees) await giveRupees(app, userId, person.rupees)
  return { userId, username, role, parentId }
}

export function newSuperAdmin(app: HasDb, person: Person = {}): Promise<Viewer> {
  return newPerson(app, 'superAdmin', null, person)
}

/** Below `parent`, or below a super admin made for the purpose. */
export async function newReseller(app: HasDb, person: Person & { parent?: Viewer } = {}): Promise<Viewer> {
  return newPerson(app, 'reseller', (person.parent ?? (await newSuperAdmin(app))).userId, person)
}

/** Below `parent`, or below a reseller made for the purpose. */
export async function newUser(app: HasDb, person: Person & { parent?: Viewer } = {}): Promise<Viewer> {
  return newPerson(app, 'user', (person.parent ?? (await newReseller(app))).userId, person)
}

export async function giveRupees(app: HasDb, userId: number, rupees: number): Promise<void> {
  await app.db.transaction().execute(async (tx) => {
    const payerId = await mintId(tx)
    await moveCredits(tx, { payerId, payeeId: userId, paisa: rupees * 100, action: 'credit_add', byUserId: null })
  })
}

/** The platform's if no owner is given. */
export async function newPlan(
  app: HasDb,
  plan: { owner?: Viewer; pulseSeconds?: number; pulsePaisa?: number } = {},
): Promise<number> {
  return app.db.transaction().execute(async (tx) =>
    store.insertPlan(tx, {
      ownerId: plan.owner?.userId ?? (await mintId(tx)),
      name: `Plan ${++serial}`,
      pulseSeconds: plan.pulseSeconds ?? 30,
      pulsePaisa: plan.pulsePaisa ?? 50,
    }),
  )
}

/** A simulated dialer with a trunk and a CLI, held by `holders`. */
export async function newLine(
  app: HasDb,
  line: {
    holders?: readonly Viewer[]
    dialerId?: number
    trunkId?: number
    channels?: number
    cps?: number
    /** The port is this plus the dialer's id, because a second client of one dialer would take it over. */
    portFrom?: number
    /** Of the trunk. Set afterwards, an engine that is up may have seen the trunk without it, and holds campaigns for that. */
    address?: { host: string; port: number }
  } = {},
): Promise<{ dialerId: number; trunkId: number; cliId: number; cli: string }> {
  const caps = { cps: line.cps ?? 1000, channels: line.channels ?? 1000 }
  return app.db.transaction().execute(async (tx) => {
    const n = ++serial
    const cli = `0159${70_000 + n}`
    const dialerId = line.dialerId ?? (await store.insertSimulatedDialer(tx, `Dialer ${n}`, caps))
    if (line.portFrom !== undefined)
      await tx
        .updateTable('dialer')
        .set({ port: line.portFrom + dialerId })
        .where('id', '=', dialerId)
        .execute()
    const trunk = { dialerId, name: `Trunk ${n}`, pilotNumber: `01597${n}` }
    const trunkId = line.trunkId ?? (await store.insertTrunk(tx, trunk, caps))
    if (line.address)
      await tx
        .updateTable('trunk')
        .set({ sip_host: line.address.host, sip_port: line.address.port })
        .where('id', '=', trunkId)
        .execute()
    const { channels } = caps
    const cliId = await store.insertCli(tx, { number: cli, trunkId, channels, holders: line.holders ?? [] })
    return { dialerId, trunkId, cliId, cli }
  })
}

/** The token of a new session, made without the password. */
export async function tokenOf(app: Pick<App, 'db' | 'clock'>, userId: number): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const now = app.clock.now()
  const session = { user_id: userId, created_at: now, last_seen_at: now, ip: '127.0.0.1', user_agent: 'test' }
  const token_hash = createHash('sha256').update(token).digest()
  await app.db
    .insertInto('session')
    .values({ ...session, token_hash })
    .execute()
  return token
}

/** The sum over mint, revenue, accounts and their income, which is always zero. */
export async function sumOfBalances(app: HasDb): Promise<number> {
  const accounts = await app.db
    .selectFrom('account')
    .select((e) => e.fn.sum<number>('balance_paisa').as('paisa'))
    .executeTakeFirstOrThrow()
  const income = await app.db
    .selectFrom('account_income')
    .select((e) => e.fn.sum<number | null>('paisa').as('paisa'))
    .executeTakeFirstOrThrow()
  return accounts.paisa + (income.paisa ?? 0)
}
