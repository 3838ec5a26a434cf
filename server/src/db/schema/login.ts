/** The login of the processes. It is neither owner nor superuser, and may take on the application's role only. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Client } from 'pg'
import type { Db } from '../db.ts'
import { DatabaseClient } from '../servers/client.ts'

const applicationRole = 'ghanti_app'

/** Creates the login, or sets its password. Needs the owner of the migrated database. */
export async function defineLogin(ownerUrl: string, { name, password }: { name: string; password: string }) {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(name) || name === applicationRole)
    throw new Error(`'${name}' is no name for a login: small letters, digits and _ do, like ghanti_server`)
  if (!/^[\x21-\x7e]+$/.test(password)) throw new Error('the password must be letters, digits and signs of ASCII alone')
  const client = new DatabaseClient({ connectionString: ownerUrl, application_name: 'ghanti-login' })
  await client.connect()
  try {
    await requireOwner(client)
    await client.query('begin')
    await client.query("select pg_advisory_xact_lock(hashtext('ghanti login'))")
    await requireRole(client)
    const found = await client.query<{ great: boolean }>(
      `select rolsuper or rolcreaterole or rolname = session_user
           or exists (select from pg_database d where d.datdba = r.oid) or exists (select from pg_class c where c.relowner = r.oid) as great
         from pg_roles r where rolname = $1`,
      [name],
    )
    if (found.rows[0]?.great) throw new Error(`${name} is an owner or an administrator: choose another name`)
    const login = client.escapeIdentifier(name)
    const verb = found.rows.length === 0 ? 'create' : 'alter'
    await client.query(
      `${verb} role ${login} login noinherit nocreatedb password ${client.escapeLiteral(verifierOf(password))}`,
    )
    await client.query(`grant ${applicationRole} to ${login} with admin false, inherit false, set true`)
    await client.query('commit')
  } finally {
    await client.end() // without the commit all is undone
  }
}

async function requireRole(client: Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [applicationRole])
  if (rowCount === 0) throw new Error('the database has not been migrated: run `npm run migrate` first')
}

/** PostgreSQL's password verifier, computed here, so that no statement in its log contains the password. RFC 5803. */
function verifierOf(password: string): string {
  const [iterations, salt] = [4096, randomBytes(16)]
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const keyed = (words: string): Buffer => createHmac('sha256', salted).update(words).digest()
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`
}

/** Why this login can do more than the application, reading on after its name. Null: it cannot. */
export async function excessOf(db: Db): Promise<{ login: string; excess: string } | null> {
  const { rows } = await sql<{ login: string; superuser: boolean; owner: boolean }>`
    select session_user::text as login, r.rolsuper as superuser, pg_has_role(r.oid, c.relowner, 'member') as owner
      from pg_roles r, pg_class c where r.rolname = session_user and c.oid = 'audit_log'::regclass`.execute(db)
  const [found] = rows
  if (!found?.superuser && !found?.owner) return null
  return { login: found.login, excess: found.superuser ? 'is a superuser' : 'owns the tables' }
}

/** Refuses a login that could not change the schema, before anything is done. */
export async function requireOwner(client: Client): Promise<void> {
  const { rows } = await client.query<{ login: string; may: boolean }>(
    `select current_user::text as login,
        has_schema_privilege('public', 'create') and has_database_privilege(current_database(), 'create')
          and not exists (select from pg_class where oid = to_regclass('schema_migration') and not pg_has_role(relowner, 'usage')) as may`,
  )
  const [found] = rows
  if (!found?.may)
    throw new Error(
      `the login ${found?.login} may not change the database’s tables: give DATABASE_URL of the database’s owner for this command`,
    )
}
