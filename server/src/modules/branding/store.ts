import type { Db } from '../../db/db.ts'

export type Brand = { company: string; logoHash: string | null; primaryColour: string | null }

const columns = ['company', 'logo_hash as logoHash', 'primary_colour as primaryColour'] as const

/** Only a domain that the super admin confirmed works (WIRE.md, Session and accounts). */
export async function byHost(db: Db, hostname: string): Promise<Brand | undefined> {
  return db
    .selectFrom('branding')
    .select(columns)
    .where('hostname', '=', hostname)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
}

export async function ofPlatform(db: Db): Promise<Brand | undefined> {
  return db.selectFrom('branding').select(columns).where('user_id', 'is', null).limit(1).executeTakeFirst()
}
