// @module-tag exhaustive
/**
 * docs/operating/dialer-without-docker.md, command by command. Its folders become folders of this test; apt and systemd are replaced: Asterisk is
 * installed already, and `systemctl` does with the unit file what systemd would, as the current user.
 */
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { freePort } from '../server/src/db/embedded/pg-local-process.ts'

const repository = path.resolve(import.meta.dirname, '..')
const page = fs.readFileSync(path.join(repository, 'docs/operating/dialer-without-docker.md'), 'utf8')
const unit = path.join(repository, 'telephony/ghanti-dialer.service')

/** The commands below each heading of the page. */
const sections = new Map(
  page.split(/^## /m).map((section) => {
    const blocks = [...section.matchAll(/^( *)```sh\n([^]*?)^ *```$/gm)]
    const commands = blocks.map(([, indent = '', block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
    return [section.split('\n')[0] ?? '', commands] as const
  }),
)

const systemctl = `#!/bin/bash
unit=$ROOT/etc/systemd/system/ghanti-dialer.service pid=$ROOT/pid
setting() { sed -n "s#^$1=#$ROOT#p" "$unit"; }
start() {
  set -a; . "$(setting EnvironmentFile)"; set +a
  setsid "$(setting ExecStart)" < /dev/null > "$ROOT/journal" 2>&1 &
  echo $! > "$pid"
}
stop() {
  kill -TERM "$(cat "$pid")"
  for n in $(seq 150); do kill -0 "$(cat "$pid")" 2> /dev/null || break; sleep 0.1; done
  kill -KILL -- "-$(cat "$pid")" 2> /dev/null
  rm "$pid"
}
case "$*" in
  'mask --now asterisk' | daemon-reload) ;;
  'enable --now ghanti-dialer') start ;;
  'restart ghanti-dialer') stop; start ;;
  'disable --now ghanti-dialer') stop ;;
  *) echo "systemctl: $*" >&2; exit 1 ;;
esac
`

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-unit-'))
const pidFile = path.join(root, 'pid')
afterAll(() => {
  // It may have ended already.
  if (fs.existsSync(pidFile)) spawnSync('kill', ['-KILL', '--', `-${fs.readFileSync(pidFile, 'utf8').trim()}`])
  fs.rmSync(root, { recursive: true, force: true })
})

/** What the page takes as given: the program and its folders, which here are those of the suite's own dialer. */
async function machine(): Promise<NodeJS.ProcessEnv> {
  const home = inject('asterisk').recordings.replace(/\/dialer\/.*$/, '')
  const conf = fs.readFileSync(path.join(home, 'dialer/etc/asterisk.conf'), 'utf8')
  const folderOf = (name: string): string => new RegExp(`^${name} => (.*)$`, 'm').exec(conf)?.[1] ?? ''
  const unpacked = path.join(home, 'bin/asterisk')
  const programs = {
    'apt-get': '#!/bin/sh\n',
    asterisk: `#!/bin/sh\nexec ${fs.existsSync(unpacked) ? unpacked : '/usr/sbin/asterisk'} "$@"\n`,
    systemctl,
    journalctl: '#!/bin/sh\ncat "$ROOT/journal"\n',
  }
  fs.mkdirSync(path.join(root, 'bin'))
  for (const [name, text] of Object.entries(programs))
    fs.writeFileSync(path.join(root, 'bin', name), text, { mode: 0o755 })
  for (const folder of ['opt', 'etc/systemd/system', 'var/lib'])
    fs.mkdirSync(path.join(root, folder), { recursive: true })
  const state = path.join(root, 'var/lib/ghanti-dialer')
  const [httpPort, sipPort] = [await freePort(), await freePort()]
  return {
    ROOT: root,
    PATH: `${path.join(root, 'bin')}:${process.env['PATH']}`,
    VAR: state,
    RUN: path.join(state, 'run'),
    MODULES: folderOf('astmoddir'),
    DATA: folderOf('astdatadir'),
    HTTP_PORT: String(httpPort),
    SIP_PORT: String(sipPort),
    SIP_BIND: '127.0.0.1',
    RTP: '32000-32098',
  }
}

test('a dialer without Docker is installed, seen to work, updated and removed by the commands of its page', async () => {
  const env = await machine()
  const run = (heading: string): string => {
    const commands = sections.get(heading) ?? []
    expect(commands.length, heading).toBeGreaterThan(0)
    const said = commands.map((block) => {
      const here = block
        .replaceAll(/\/(opt\/ghanti|etc\/ghanti|etc\/systemd\/system|var\/lib\/ghanti-dialer)/g, `${root}$&`)
        .replaceAll('127.0.0.1:8088', `127.0.0.1:${env['HTTP_PORT']}`)
      const done = spawnSync('bash', ['-euo', 'pipefail', '-c', here], { cwd: repository, env, encoding: 'utf8' })
      expect({ block, status: done.status, stderr: done.stderr }).toMatchObject({ block, status: 0 })
      return done.stdout
    })
    return said.join('')
  }
  const installed = run('Install')
  expect(installed).toMatch(/^Asterisk (2[2-9]|[3-9]\d)\./m)
  expect(installed).toContain('"ping":"pong"')
  expect(installed).toMatch(new RegExp(`transport-udp .* 127\\.0\\.0\\.1:${env['SIP_PORT']}`))
  expect(fs.statSync(path.join(root, 'etc/ghanti/dialer.env')).mode & 0o777).toBe(0o600)
  run('Log')
  const before = fs.readFileSync(pidFile, 'utf8')
  run('Change a setting, or update')
  expect(fs.readFileSync(pidFile, 'utf8')).not.toBe(before)
  run('Remove')
  expect(fs.existsSync(pidFile)).toBe(false)
  expect(fs.readdirSync(path.join(root, 'var/lib'))).toEqual([])
  expect([...sections.values()].flat().length).toBe(8)
})

const verifier = spawnSync('systemd-analyze', ['--version'])
test.skipIf(verifier.error)('systemd accepts the unit file, and every setting in it', () => {
  const copy = path.join(root, 'ghanti-dialer.service')
  fs.writeFileSync(copy, fs.readFileSync(unit, 'utf8').replace(/^ExecStart=.*$/m, 'ExecStart=/bin/true'))
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', copy], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
