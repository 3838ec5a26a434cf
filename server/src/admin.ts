/** What only the operator may do, beside the running server: `npm run admin -- --help`. */
import * as path from 'node:path'
import { NewUsername } from '@ghanti/contract/usernames.ts'
import { Command } from 'commander'
import * as z from 'zod/mini'
import { backupPassphrase, readPassword, restorePassphrase } from './admin-input.ts'
import { systemClock } from './clock.ts'
import { newSecret, readConfig, type Config } from './config.ts'
import { backup } from './db/backup/backup.ts'
import type { Db } from './db/db.ts'
import { defineLogin } from './db/schema/login.ts'
import { migrate, requireSchema } from './db/schema/migrate.ts'
import { holdAlone, openDatabase } from './db/open.ts'
import { kyselyOver, openPool } from './db/pool.ts'
import { restore } from './db/backup/restore.ts'
import { localFiles } from './drivers/files/local.ts'
import { AppError } from './errors.ts'
import { alertLines, clearAlert } from './modules/alerts/actions.ts'
import { audit } from './modules/audit/actions.ts'
import { hashPassword } from './modules/auth/actions-passwords.ts'
import { resumeKeys } from './modules/keys/actions-revoke.ts'
import { askToConfirm } from './modules/mail/actions.ts'
import { createAccount } from './modules/users/actions-create.ts'
import { retireDemoAccounts } from './modules/users/actions-demo.ts'
import {
  beginWithFactors,
  removeFactorsByName,
  resetPasswordByName,
  setDisabledByName,
  signOutAll,
  signOutByName,
  superAdminLines,
} from './modules/users/actions-operator.ts'
import { messageOf } from './lib/error-code.ts'

async function withDatabase(work: (config: Config, url: string) => Promise<void>): Promise<void> {
  const config = readConfig()
  const database = await openDatabase(config, (reason) => {
    console.error(reason.message)
    process.exit(1)
  })
  try {
    await work(config, database.url)
  } finally {
    await database.close()
  }
}

async function withDb(url: string, work: (db: Db) => Promise<void>): Promise<void> {
  const pool = openPool({ connectionString: url, max: 2, name: 'ghanti-admin' }, () => {})
  try {
    const db = kyselyOver(pool)
    await requireSchema(db)
    await work(db)
  } finally {
    await pool.end()
  }
}

const filesOf = (config: Config) => localFiles(path.join(config.dataFolder, 'files'))

function newUsername(text: string): string {
  const { data, error } = z.safeParse(NewUsername, text)
  if (data === undefined) throw new Error(`the username ${error?.issues[0]?.message}`)
  return data
}

type NewSuperAdmin = { name: string; email: string; number: string; company: string }

async function createSuperAdmin(typed: string, about: NewSuperAdmin): Promise<void> {
  const username = newUsername(typed)
  const passwordHash = await hashPassword(await readPassword({ ...about, username, emailid: about.email }), 'operator')
  await withDatabase(async (config, url) => {
    if (config.embedded) await migrate(url)
    await withDb(url, (db) =>
      db.transaction().execute(async (tx) => {
        const { email: emailid, ...rest } = about
        const person = { ...rest, emailid, role: 'superAdmin', parentId: null, channels: null } as const
        const userId = await createAccount(tx, { ...person, username, passwordHash })
        await askToConfirm(tx, { userId, causedBy: userId })
        const retired = await retireDemoAccounts(tx, userId, systemClock.now())
        const actor = { viewer: { userId }, origin: { ip: 'admin' } }
        await audit(tx, actor, 'admin.createSuperAdmin', `user ${userId}`, { username, retired })
        const first = (await beginWithFactors(tx, userId)) ? ' The first login asks for a second factor.' : ''
        const gone = retired.length > 0 ? ` Demo accounts gone: ${retired.join(', ')}.` : ''
        console.log(`${username} may sign in.${first}${gone}`)
      }),
    )
  })
}

const passphraseFile = [
  '--passphrase-file <file>',
  'its first line encrypts the backup; else BACKUP_PASSPHRASE',
] as const

const program = new Command('npm run admin --').description('Ghanti: what only the operator may do')

program
  .command('migrate')
  .description('bring the database up to this version; as the owner of the database')
  .action(() =>
    withDatabase(async (_config, url) => {
      const applied = await migrate(url)
      console.log(applied.length > 0 ? `applied ${applied.join(', ')}` : 'the database is up to date')
    }),
  )

program
  .command('database-login')
  .description(
    'make the login of the processes, which can change no table, or give it another password; as the owner of the database. The password is asked for, or read from a pipe',
  )
  .argument('<name>')
  .action(async (name: string) => {
    const password = await readPassword()
    await withDatabase((_config, url) => defineLogin(url, { name, password }))
    console.log(`${name} may log in: give it to the processes in DATABASE_URL`)
  })

program
  .command('create-super-admin')
  .description('create a super admin and remove the demo accounts; the password is asked for, or read from a pipe')
  .argument('<username>')
  .requiredOption('--name <name>')
  .requiredOption('--email <address>')
  .requiredOption('--number <number>', 'telephone')
  .option('--company <company>', '', 'Ghanti')
  .action(createSuperAdmin)

const answer = (work: (db: Db) => Promise<string>): Promise<void> =>
  withDatabase((_config, url) => withDb(url, async (db) => console.log(await work(db))))

program
  .command('list-super-admins')
  .description('list the super admins: username, name, address, whether they may sign in, open sessions')
  .action(() => answer(async (db) => (await superAdminLines(db, systemClock.now())).join('\n')))

for (const disabled of [true, false])
  program
    .command(disabled ? 'disable' : 'enable')
    .description(
      disabled
        ? 'disable an account, a super admin’s too but the last one’s: it and all below it stop at once'
        : 'let an account that is disabled go on, with what was stopped with it',
    )
    .argument('<username>')
    .option('--reason <text>', 'what the account reads at its next sign-in', 'by the operator')
    .action((username: string, { reason }: { reason: string }) =>
      answer((db) => setDisabledByName(db, username, { disabled, reason, at: systemClock.now() })),
    )

program
  .command('reset-password')
  .description('give an account a new random password, which is printed once, and end its sessions')
  .argument('<username>')
  .option('--ask', 'ask for the password, or read it from a pipe, instead')
  .action(async (username: string, { ask = false }: { ask?: boolean }) => {
    const password = ask ? await readPassword({ username }) : null
    await answer((db) => resetPasswordByName(db, username, password))
  })

program
  .command('remove-factors')
  .description('remove the second factor and the recovery codes of an account whose owner has lost them')
  .argument('<username>')
  .action((username: string) => answer((db) => removeFactorsByName(db, username)))

program
  .command('resume-keys')
  .description('let the keys and webhooks of programs work again, which a restore has paused')
  .action(() =>
    answer(async (db) => {
      const { keys, hooks } = await resumeKeys(db)
      return `${keys} keys and ${hooks} webhooks work again`
    }),
  )

program
  .command('sign-out')
  .description('end the sessions of an account, or of everybody')
  .argument('[username]')
  .option('--all', 'of everybody')
  .action((username: string | undefined, { all = false }: { all?: boolean }) => {
    if (all === (username !== undefined)) throw new Error('say whose sessions are to end: a username, or --all')
    return answer((db) => (username === undefined ? signOutAll(db) : signOutByName(db, username)))
  })

program
  .command('backup')
  .description('write every table, in one snapshot, and every stored file into one zip; calls may go on meanwhile')
  .argument('<file>')
  .option(...passphraseFile)
  .action((file: string, options: { passphraseFile?: string }) =>
    withDatabase(async (config, url) => {
      const passphrase = backupPassphrase(config, options.passphraseFile)
      const manifest = await backup(url, filesOf(config), path.resolve(file), passphrase)
      const how = passphrase === null ? 'NOT encrypted' : 'encrypted'
      console.log(`${file}: ${manifest.tables.length} tables of installation ${manifest.installation}, ${how}`)
      if (passphrase === null)
        console.error(
          `Whoever gets ${file} reads the telephone numbers, recordings and accounts in it. Keep it where nobody else can,` +
            ' or encrypt it: --passphrase-file FILE, or BACKUP_PASSPHRASE.',
        )
    }),
  )

program
  .command('restore')
  .description(
    'put a backup into an empty database (a new DATA_FOLDER or DATABASE_URL), which gets a new installation id',
  )
  .argument('<file>')
  .option(...passphraseFile)
  .action((file: string, options: { passphraseFile?: string }) =>
    withDatabase(async (config, url) => {
      const passphrase = () => restorePassphrase(config, options.passphraseFile)
      const release = await holdAlone(config, url, () => {})
      try {
        const manifest = await restore(url, filesOf(config), path.resolve(file), passphrase)
        console.log(`restored what was backed up at ${manifest.madeAt}`)
      } finally {
        await release()
      }
    }),
  )

program
  .command('alerts')
  .description('list the open alerts: id, time, kind, subject, detail')
  .option('--all', 'those that were cleared, too')
  .action(({ all = false }: { all?: boolean }) =>
    withDatabase((_config, url) =>
      withDb(url, async (db) => {
        const lines = await alertLines(db, { cleared: all })
        console.log(lines.length > 0 ? lines.join('\n') : all ? 'there are no alerts' : 'no alert is open')
      }),
    ),
  )

program
  .command('clear-alert')
  .description('clear one alert: what it tells of has been dealt with')
  .argument('<id>')
  .action(async (text: string) => {
    if (!/^\d{1,15}$/.test(text)) throw new Error(`'${text}' is no alert's id: \`npm run admin -- alerts\` lists them`)
    const cleared = { id: Number(text), at: systemClock.now() }
    await withDatabase((_config, url) =>
      withDb(url, async (db) => {
        const line = await clearAlert(db, { viewer: null, origin: { ip: 'admin' } }, cleared).catch(
          (error: unknown) => {
            if (!(error instanceof AppError)) throw error
            throw new Error(
              error.code === 'not_found' ? `there is no alert ${text}` : `alert ${text} was cleared before`,
            )
          },
        )
        console.log(`cleared: ${line}`)
      }),
    )
  })

program
  .command('new-secret')
  .description('print a fresh SECRET')
  .action(() => console.log(newSecret()))

try {
  await program.parseAsync()
} catch (error) {
  console.error(messageOf(error))
  process.exitCode = 1
}
