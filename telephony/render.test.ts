/** What render.sh writes, and refuses, without any Asterisk; and the modules that a running dialer has loaded. */
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-render-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

let count = 0
function render(settings: Readonly<Record<string, string>>) {
  const home = path.join(folder, String(count++))
  const modules = path.join(home, 'modules')
  fs.mkdirSync(modules, { recursive: true })
  for (const name of ['chan_pjsip', 'app_playback', 'pbx_spool']) fs.writeFileSync(path.join(modules, `${name}.so`), '')
  const env = {
    PATH: process.env['PATH'],
    MODULES: modules,
    DATA: home,
    VAR: path.join(home, 'var'),
    RUN: path.join(home, 'run'),
    SIP_PORT: '5060',
    RTP: '20000-20998',
    HTTP_PORT: '8088',
    ARI_USER: 'ghanti',
    ARI_PASSWORD: 'word',
    ...settings,
  }
  const script = path.join(import.meta.dirname, 'render.sh')
  const { status, stderr } = spawnSync('bash', [script, 'dialer', path.join(home, 'etc')], { env, encoding: 'utf8' })
  const read = (file: string): string => fs.readFileSync(path.join(home, 'etc', file), 'utf8')
  return { status, stderr, read }
}

test.each([
  { bind: '::1', shown: '[::1]' },
  { bind: '[2001:db8::7]', shown: '[2001:db8::7]' },
  { bind: '::', shown: '[::]' },
  { bind: '203.0.113.7', shown: '203.0.113.7' },
])('with SIP_BIND=$bind every transport listens on $shown', ({ bind, shown }) => {
  const binds = render({ SIP_BIND: bind })
    .read('pjsip.conf')
    .match(/^bind = .*$/gm)
  expect(binds).toEqual([`bind = ${shown}:5060`, `bind = ${shown}:5060`, `bind = ${shown}:5061`])
})

test('SIP is marked with a DSCP, 24 unless SIP_DSCP says otherwise, and what is none is refused', () => {
  const tosOf = (settings: Record<string, string>) => /^tos = (.*)$/m.exec(render(settings).read('pjsip.conf'))?.[1]
  expect(tosOf({})).toBe('96')
  expect(tosOf({ SIP_DSCP: '08' })).toBe('32')
  expect(render({ SIP_DSCP: '64' })).toMatchObject({ status: 1, stderr: expect.stringContaining('is no DSCP') })
})

test('how long answered calls wait for a server that has died, and what they hear then, is left to the product unless LOST_SECONDS and LOST_SOUND say it', () => {
  const globals = (settings: Record<string, string>) =>
    render(settings)
      .read('extensions.conf')
      .match(/(?<=^GHANTI_LOST_\w+ = ).*(?= ;)/gm)
  const sound = path.join(folder, 'sorry.wav')
  fs.writeFileSync(sound, '')
  expect(globals({})).toEqual(['', ''])
  expect(globals({ LOST_SECONDS: '20', LOST_SOUND: sound })).toEqual(['20', path.join(folder, 'sorry')])
  expect(render({ LOST_SECONDS: '0' })).toMatchObject({ status: 1, stderr: expect.stringContaining('LOST_SECONDS') })
  for (const none of [path.join(folder, 'none.wav'), path.join(folder, 'sorry')])
    expect(render({ LOST_SOUND: none })).toMatchObject({ status: 1, stderr: expect.stringContaining('LOST_SOUND') })
})

test('only a bench’s dialer loads what only the bench uses', () => {
  const loaded = (settings: Record<string, string>) =>
    render(settings)
      .read('modules.conf')
      .match(/(?<=^load = ).*$/gm)
  expect(loaded({})).toEqual(['chan_pjsip', 'app_playback'])
  expect(loaded({ BENCH: '1' })).toEqual(['chan_pjsip', 'app_playback', 'pbx_spool'])
})

test('every module that a dialer loads runs, and none is loaded that nothing uses', async () => {
  const { host, port, user, secret } = inject('asterisk').dialer
  const headers = { authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}` }
  const reply = await fetch(`http://${host}:${port}/ari/asterisk/modules`, { headers })
  const modules = (await reply.json()) as { name: string; status: string }[]
  expect(modules.filter(({ status }) => status !== 'Running')).toEqual([])
  const names = modules.map(({ name }) => name.replace('.so', ''))
  expect(names).toContain('chan_pjsip')
  const unused = ['app_amd', 'app_waitforsilence', 'func_talkdetect', 'func_volume', 'func_jitterbuffer', 'pbx_spool']
  expect(names.filter((name) => unused.includes(name))).toEqual([])
})
