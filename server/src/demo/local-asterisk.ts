/** Asterisk on this machine, without Docker, for demo and tests: a dialer, and the virtual operator as the telephone network. */
import { spawn } from 'node:child_process'
import * as path from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

const root = path.resolve(import.meta.dirname, '../../..')
const scripts = path.join(root, 'telephony')
/** The downloaded program, shared by everything that runs in this checkout. */
const programFolder = path.join(root, '.ghanti/asterisk/root')

export type LocalAsterisk = {
  /** The address of its ARI. */
  dialer: { host: string; port: number; user: string; secret: string }
  /** Its SIP address, UDP and TCP. Anybody may call; user line1 with line1-secret may also register. */
  operator: { host: string; port: number }
  /** The ports in use, as settings with which they restart at the same addresses. */
  ports: Readonly<Record<'AST_HTTP_PORT' | 'AST_SIP_PORT' | 'OPERATOR_SIP_PORT', string>>
  /** Where the dialer keeps its recordings. */
  recordings: string
  /** Asterisk's own log with a line per call that reached the operator, the called number last. */
  operatorCalls: string
  /** Stops the processes of the pid files, after checking what they are. */
  stop(): Promise<void>
}

export type LocalAsteriskOptions = {
  /** Must be used by no other. Running ones are adopted, killed ones started again. */
  home: string
  /** Uses free ports and keeps them while they run; otherwise 8088, 5160 and 5170. */
  freePorts: boolean
  /** They end when this process has ended, in whatever way. */
  parent?: number
  /** Further settings of telephony/render.sh: certificates, other addresses. */
  settings?: Readonly<Record<string, string>>
  say: (line: string) => void
}

/** Rejects with the script's own words for what is missing. */
export async function startLocalAsterisk({
  home,
  freePorts,
  parent,
  settings: more = {},
  say,
}: LocalAsteriskOptions): Promise<LocalAsterisk> {
  const settings = Object.entries(more).map(([name, value]) => `${name}=${value}`)
  settings.push(`AST_HOME=${home}`, `AST_ROOT=${programFolder}`)
  if (freePorts) settings.push('AST_PORTS=free')
  if (parent !== undefined) settings.push(`AST_PARENT=${parent}`)
  const settingOf = settingsOf(await run('asterisk-setup.sh', settings, say))
  const ari = new URL(settingOf('ARI_URL'))
  return {
    dialer: {
      host: ari.hostname,
      port: Number(ari.port),
      user: settingOf('ARI_USER'),
      secret: settingOf('ARI_PASSWORD'),
    },
    operator: addressOf(settingOf('OPERATOR_SIP')),
    ports: {
      AST_HTTP_PORT: ari.port,
      AST_SIP_PORT: String(addressOf(settingOf('DIALER_SIP')).port),
      OPERATOR_SIP_PORT: String(addressOf(settingOf('OPERATOR_SIP')).port),
    },
    recordings: settingOf('DIALER_RECORDINGS'),
    operatorCalls: settingOf('OPERATOR_CALLS'),
    stop: () => stopLocalAsterisk(home, say),
  }
}

export async function stopLocalAsterisk(home: string, say: (line: string) => void): Promise<void> {
  for (const line of await run('asterisk-stop.sh', [`AST_HOME=${home}`], say)) say(line)
}

/** The same as a command, for use where no promise can be awaited. */
export function stopCommand(home: string): [command: string, args: string[]] {
  return ['env', [`AST_HOME=${home}`, 'bash', path.join(scripts, 'asterisk-stop.sh')]]
}

function settingsOf(lines: readonly string[]): (name: string) => string {
  const values = new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
  return (name) => {
    const value = values.get(name)
    if (value === undefined) throw new Error(`telephony/asterisk-setup.sh did not say ${name}`)
    return value
  }
}

function addressOf(text: string): { host: string; port: number } {
  const at = text.lastIndexOf(':')
  return { host: text.slice(0, at), port: Number(text.slice(at + 1)) }
}

/** Resolves with the lines of standard output. `settings` are environment variables beside our own. */
async function run(script: string, settings: readonly string[], say: (line: string) => void): Promise<string[]> {
  const child = spawn('env', [...settings, 'bash', path.join(scripts, script)], { stdio: ['ignore', 'pipe', 'pipe'] })
  const output: string[] = []
  let complaint = ''
  const read = async (stream: Readable, each: (line: string) => void): Promise<void> => {
    for await (const line of createInterface({ input: stream })) each(line)
  }
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const [code] = await Promise.all([
    exited,
    read(child.stdout, (line) => output.push(line)),
    read(child.stderr, (line) => {
      complaint = line
      say(line)
    }),
  ])
  if (code !== 0) throw new Error(complaint === '' ? `telephony/${script} ended with ${code}` : complaint)
  return output
}
