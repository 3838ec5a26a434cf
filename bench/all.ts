/**
 * `npm run bench`: runs every bench in turn and writes docs/performance.md with their output and the ceilings measured in the same run.
 *
 *     npm run bench                                 all at their usual size; about two hours, on an otherwise idle machine
 *     npm run bench -- dispatch sms                 only these; the page's other sections stay
 *     npm run bench -- dispatch=60 sms-million=10000    with sizes, as the bench's own command takes them
 *     npm run bench -- --smallest                   only checks that each runs, and writes nothing
 *     npm run bench -- sms@FILE                     runs nothing: takes saved output of this machine from FILE, dated by the file
 *
 * The page has a part per release (the version in package.json). A run replaces the sections it measured and leaves earlier releases alone.
 * Exits with 1 when a bench failed; its output is shown but not written.
 */
import { execFileSync, spawn } from 'node:child_process'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { smallest } from './bench.ts'
import { benches, benchesOf, merged, sectionOf, plainText, type Section } from './performance.ts'

const root = path.resolve(import.meta.dirname, '..')
const page = path.join(root, 'docs/performance.md')

const { version, scripts } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  version: string
  scripts: Record<string, string>
}
const all = benchesOf(scripts)

type Wanted = { name: string; size: string | null; keptIn: string | null }

function wantedFrom(args: readonly string[]): Wanted[] {
  const named = args.filter((argument) => !argument.startsWith('--'))
  if (named.length === 0) return all.map((name) => ({ name, size: null, keptIn: null }))
  return named.map((argument) => {
    const [, name = '', size = null, keptIn = null] = /^([\w-]+)(?:=(\d+))?(?:@(.+))?$/.exec(argument) ?? []
    if (!all.includes(name)) throw new Error(`${argument}: there is no such bench; there are ${all.join(', ')}`)
    if (size !== null && benches[name]?.isTest) throw new Error(`${argument}: ${name} takes no size`)
    return { name, size, keptIn }
  })
}

/** Streams the output and returns it; null when the bench failed. */
function output(command: string, args: readonly string[]): Promise<string | null> {
  console.log(`\n── ${command} ${args.join(' ')}`)
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    process.stdout.write(chunk)
  })
  return new Promise((resolve) => {
    child.once('close', (code) => resolve(code === 0 ? text : null))
    child.once('error', () => resolve(null))
  })
}

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()

async function measured({ name, size, keptIn }: Wanted): Promise<Section | null> {
  const args = [
    'run',
    '--silent',
    `bench:${name}`,
    ...(smallest ? ['--', '--smallest'] : size === null ? [] : ['--', size]),
  ]
  const text = keptIn === null ? await output('npm', args) : fs.readFileSync(keptIn, 'utf8')
  if (text === null) return null
  const at = keptIn === null ? new Date() : fs.statSync(keptIn).mtime
  const command = `npm run bench:${name}${size === null ? '' : ` -- ${size}`}`
  return { name, command, at, commit: keptIn === null ? commit : null, machine: machine(), text: plainText(text) }
}

function machine(): string {
  const gigabytes = Math.round(os.totalmem() / 2 ** 30)
  return `${os.availableParallelism()} cores (${os.cpus()[0]?.model.trim() ?? 'unknown'}), ${gigabytes} GB of memory, ${os.type()} ${os.release()}, Node ${process.version}`
}

const failed: string[] = []
const wantedNow = wantedFrom(process.argv.slice(2)).filter(({ name }) => !(smallest && benches[name]?.isTest))
for (const wanted of wantedNow) {
  const section = await measured(wanted)
  if (section === null) failed.push(wanted.name)
  else if (!smallest) {
    const before = fs.existsSync(page) ? fs.readFileSync(page, 'utf8') : ''
    fs.writeFileSync(page, merged(before, version, sectionOf(section))) // after each, because a run of hours may be interrupted
  }
}
if (failed.length > 0) console.error(`\nfailed: ${failed.join(', ')}`)
process.exit(failed.length > 0 ? 1 : 0)
