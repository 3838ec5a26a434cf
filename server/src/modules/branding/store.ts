import type { Brand as WireBrand, DomainRow } from '@ghanti/contract/brands.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { containing, readPage } from '../../db/lists/list.ts'
import { domainsThatWork } from '../../db/working-domains.ts'
import type { Page } from '../../http/types.ts'

export type Brand = { company: string; logoHash: string | null; logoType: string | null; primaryColour: string | null }

const columns = [
  'branding.company',
  'logo_hash as logoHash',
  'logo_type as logoType',
  'primary_colour as primaryColour',
] as const

/** Undefined: no working domain. */
export async function byHost(db: Db, hostname: string): Promise<Brand | undefined> {
  return domainsThatWork(db, hostname)
    .innerJoin('branding', 'branding.user_id', 'brand_domain.user_id')
    .select(columns)
    .executeTakeFirst()
}

export async function ofPlatform(db: Db): Promise<Brand | undefined> {
  return db.selectFrom('branding').select(columns).where('user_id', 'is', null).executeTakeFirst()
}

/** The brand that an account's people see: its own, else of the nearest account above that has one. */
export async function nearestAbove(db: Db, userId: number): Promise<Brand | undefined> {
  const { rows } = await sql<Brand>`
    select b.company, b.logo_hash as "logoHash", b.logo_type as "logoType", b.primary_colour as "primaryColour"
      from users u, unnest(u.path) with ordinality p (id, n) join branding b on b.user_id = p.id
     where u.id = ${userId} order by p.n desc limit 1`.execute(db)
  return rows[0]
}

export async function logoTypeOf(db: Db, hash: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('branding')
    .select('logo_type')
    .where('logo_hash', '=', hash)
    .limit(1)
    .executeTakeFirst()
  return row?.logo_type ?? undefined
}

type Owned = Brand & Pick<WireBrand, 'domain' | 'waiting' | 'refused'>

/** The brand as its owner sees it; without one, the owner's company name. */
export async function ofAccount(db: Db, userId: number): Promise<Owned> {
  const brand = await db
    .selectFrom('users')
    .leftJoin('branding', 'branding.user_id', 'users.id')
    .select([
      (e) => e.fn.coalesce('branding.company', 'users.company').as('company'),
      'logo_hash as logoHash',
      'logo_type as logoType',
      'primary_colour as primaryColour',
      'refused_hostname',
      'refused_reason',
      'refused_at',
    ])
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow()
  const domains = await db.selectFrom('brand_domain').selectAll().where('user_id', '=', userId).execute()
  const domain = (isWorking: boolean) => {
    const found = domains.find(({ confirmed_at }) => (confirmed_at !== null) === isWorking)
    return found ? { hostname: found.hostname, askedAt: nepalTimeOf(found.asked_at) } : null
  }
  const { refused_hostname: hostname, refused_reason: reason, refused_at: at, ...look } = brand
  const refused = hostname !== null && at !== null ? { hostname, reason, at: nepalTimeOf(at) } : null
  return { ...look, domain: domain(true), waiting: domain(false), refused }
}

export type Look = { company?: string; primaryColour?: string | null }

/** Until the transaction ends the account is not deleted, since its deletion removes the logo. False when it was. */
export async function holdAccount(tx: Tx, userId: number): Promise<boolean> {
  const account = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return account !== undefined
}

/** Leaves undefined fields as they are. Locks the brand, so that concurrent changes wait for each other. `userId` null: the platform's. */
export async function saveLook(tx: Tx, userId: number | null, look: Look): Promise<void> {
  await sql`
    insert into branding (user_id, company)
    select ${userId}::int, coalesce((select company from users where id = ${userId}::int), 'Ghanti') on conflict do nothing`.execute(
    tx,
  )
  await tx
    .updateTable('branding')
    .set((e) => ({
      company: look.company ?? e.ref('company'),
      ...(look.primaryColour === undefined ? {} : { primary_colour: look.primaryColour }),
    }))
    .where('user_id', 'is not distinct from', userId)
    .executeTakeFirstOrThrow()
}

type SavedLogo = { hash: string | null; bytes: number | null; sender: number | null }

export async function logoOf(tx: Tx, userId: number | null): Promise<SavedLogo> {
  const found = await tx
    .selectFrom('branding')
    .select(['logo_hash as hash', 'logo_bytes as bytes', 'logo_sender as sender'])
    .where('user_id', 'is not distinct from', userId)
    .forUpdate()
    .executeTakeFirst()
  return found ?? { hash: null, bytes: null, sender: null }
}

/** `sender`: the account whose quota counts the file; null for none. */
type NewLogo = { hash: string; type: string; bytes: number; sender: number | null }

export async function saveLogo(tx: Tx, userId: number | null, logo: NewLogo | null): Promise<void> {
  await tx
    .updateTable('branding')
    .set({
      logo_hash: logo?.hash ?? null,
      logo_type: logo?.type ?? null,
      logo_bytes: logo?.bytes ?? null,
      logo_sender: logo?.sender ?? null,
    })
    .where('user_id', 'is not distinct from', userId)
    .execute()
}

export async function removeDomains(tx: Tx, userId: number, except: string | null): Promise<void> {
  await tx
    .deleteFrom('brand_domain')
    .where('user_id', '=', userId)
    .where((where) => where.or([where.val(except === null), where('hostname', '<>', except ?? '')]))
    .execute()
}

/** Until the transaction ends, nobody else can ask for this domain or decide about it. */
export async function lockHostname(tx: Tx, hostname: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('domain ' || ${hostname}))`.execute(tx)
}

/** Whether it works for another account. Those of deleted accounts are free. */
export async function isAnothers(tx: Tx, userId: number, hostname: string): Promise<boolean> {
  await tx
    .deleteFrom('brand_domain')
    .where('hostname', '=', hostname)
    .where('user_id', 'in', (q) => q.selectFrom('users').select('id').where('deleted_at', 'is not', null))
    .execute()
  const row = await tx
    .selectFrom('brand_domain')
    .select('id')
    .where('hostname', '=', hostname)
    .where('user_id', '<>', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

type NewClaim = { userId: number; hostname: string; askedBy: number }

/** Replaces the account's unconfirmed domain. */
export async function claim(tx: Tx, { userId, hostname, askedBy }: NewClaim): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('domains'), ${askedBy})`.execute(tx)
  await tx.deleteFrom('brand_domain').where('user_id', '=', userId).where('confirmed_at', 'is', null).execute()
  await tx.insertInto('brand_domain').values({ hostname, user_id: userId, asked_by: askedBy }).execute()
  await forgetRefusal(tx, userId)
}

export async function countWaiting(tx: Tx, askedBy: number): Promise<number> {
  const { waiting } = await tx
    .selectFrom('brand_domain')
    .select(sql<number>`count(*)::int`.as('waiting'))
    .where('asked_by', '=', askedBy)
    .where('confirmed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return waiting
}

export async function othersWaiting(tx: Tx, hostname: string): Promise<number[]> {
  const rows = await tx
    .selectFrom('brand_domain')
    .select('user_id')
    .where('hostname', '=', hostname)
    .where('confirmed_at', 'is', null)
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

export async function workingDomain(tx: Tx, userId: number): Promise<string | null> {
  const row = await tx
    .selectFrom('brand_domain')
    .select('hostname')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  return row?.hostname ?? null
}

type Claim = { userId: number; hostname: string }

export function claimOf(tx: Tx, domainId: number): Promise<Claim | undefined> {
  return tx
    .selectFrom('brand_domain')
    .select(['user_id as userId', 'hostname'])
    .where('id', '=', domainId)
    .executeTakeFirst()
}

/** The domain now works and the account's previous one stops. False when the account does not wait for it. */
export async function confirm(tx: Tx, { userId, hostname }: Claim, by: { userId: number; at: Date }): Promise<boolean> {
  const waiting = await tx
    .selectFrom('brand_domain')
    .select('id')
    .where('user_id', '=', userId)
    .where('hostname', '=', hostname)
    .where('confirmed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!waiting) return false
  await tx.deleteFrom('brand_domain').where('user_id', '=', userId).where('confirmed_at', 'is not', null).execute()
  await tx
    .updateTable('brand_domain')
    .set({ confirmed_at: by.at, confirmed_by: by.userId })
    .where('id', '=', waiting.id)
    .execute()
  return true
}

/** `reason` null: another account got the domain. False when the account neither has it nor waits for it. */
export async function refuse(
  tx: Tx,
  { userId, hostname }: Claim,
  { reason, at }: { reason: string | null; at: Date },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('brand_domain')
    .where('user_id', '=', userId)
    .where('hostname', '=', hostname)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) return false
  await tx
    .updateTable('branding')
    .set({ refused_hostname: hostname, refused_reason: reason, refused_at: at })
    .where('user_id', '=', userId)
    .execute()
  return true
}

async function forgetRefusal(tx: Tx, userId: number): Promise<void> {
  const none = { refused_hostname: null, refused_reason: null, refused_at: null }
  await tx.updateTable('branding').set(none).where('user_id', '=', userId).execute()
}

export async function domains(db: Db, query: ListQuery): Promise<Page<DomainRow>> {
  let rows = db
    .selectFrom('brand_domain')
    .innerJoin('users', 'users.id', 'brand_domain.user_id')
    .innerJoin('branding', 'branding.user_id', 'brand_domain.user_id')
    .leftJoin('users as confirmer', 'confirmer.id', 'brand_domain.confirmed_by')
    .select([
      'brand_domain.id as domainId',
      'hostname',
      'brand_domain.user_id as userId',
      'users.username',
      'branding.company',
      'asked_at as askedAt',
      'confirmed_at as confirmedAt',
      'confirmer.username as confirmedBy',
      sql<number>`(select count(*)::int from brand_domain o join users u on u.id = o.user_id and u.deleted_at is null
        where o.hostname = brand_domain.hostname and o.confirmed_at is null and o.id <> brand_domain.id)`.as('others'),
    ])
    .where('users.deleted_at', 'is', null)
  if (query.search) {
    const pattern = containing(query.search.trim())
    rows = rows.where((where) =>
      where.or(
        ['hostname', 'users.username', 'branding.company'].map(
          (column) => sql<boolean>`${sql.ref(column)} ilike ${pattern}`,
        ),
      ),
    )
  }
  const page = await readPage(db, rows, query, {
    keys: {
      waiting: sql`(confirmed_at is null)`,
      askedAt: sql.ref('asked_at'),
      hostname: sql.ref('hostname'),
      username: sql.ref('users.username'),
    },
    id: sql<number>`brand_domain.id`,
    fallback: '-waiting',
  })
  return {
    ...page,
    rows: page.rows.map(
      ({ domainId, hostname, userId, username, company, askedAt, confirmedAt, confirmedBy, others }) => ({
        domainId,
        hostname,
        userId,
        username,
        company,
        askedAt: nepalTimeOf(askedAt),
        confirmedAt: confirmedAt && nepalTimeOf(confirmedAt),
        confirmedBy,
        others,
      }),
    ),
  }
}
