import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { newSecret, readConfig } from './config.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-config-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
const DATA_FOLDER = path.join(folder, 'data')

test('nothing set: embedded, on this machine, with a secret that stays the same', () => {
  const config = readConfig({ DATA_FOLDER })
  expect(config).toMatchObject({
    embedded: true,
    host: '127.0.0.1',
    port: 3000,
    roles: ['api', 'engine', 'worker'],
    simulatorSpeed: 30,
    basePath: '',
  })
  expect(readConfig({ DATA_FOLDER }).secret).toEqual(config.secret)
  expect(fs.statSync(path.join(DATA_FOLDER, 'secret')).mode & 0o077).toBe(0)
})

test('a wrong boot names every bad setting at once', () => {
  const wrong = {
    DATA_FOLDER,
    PORT: '99999',
    ROLES: 'api,cook',
    BASE_PATH: 'build/',
    DATABASE_URL: 'mysql://x',
    METRICS_TOKEN: 'short',
  }
  for (const name of ['PORT', 'ROLES', 'BASE_PATH', 'DATABASE_URL', 'METRICS_TOKEN', 'SECRET', 'PUBLIC_URL'])
    expect(() => readConfig(wrong)).toThrow(new RegExp(`^  ${name}: `, 'm'))
})

test('with DATABASE_URL secret and public address are required, and the simulator’s speed is refused', () => {
  const production = {
    DATABASE_URL: 'postgres://h/d',
    SECRET: newSecret(),
    PUBLIC_URL: 'https://calls.example.com/',
    DATA_FOLDER,
  }
  expect(readConfig(production)).toMatchObject({
    embedded: false,
    publicUrl: 'https://calls.example.com',
    simulatorSpeed: 1,
  })
  expect(() => readConfig({ ...production, SIMULATOR_SPEED: '30' })).toThrow('SIMULATOR_SPEED')
  expect(() => readConfig({ ...production, WAIT_SCALE: '0.1' })).toThrow('WAIT_SCALE')
  expect(() => readConfig(production, ['--empty'])).toThrow('--empty: belongs to the embedded mode')
  expect(() => readConfig(production, ['--asterisk'])).toThrow('--asterisk: belongs to the embedded mode')
  expect(() => readConfig(production, ['--smpp'])).toThrow('--smpp: belongs to the embedded mode')
})

test('an engine has a share beside others, a name and a pool; a share of nothing is refused in words', () => {
  expect(readConfig({ DATA_FOLDER }).engine).toEqual({ weight: 1, name: os.hostname(), pool: 10 })
  const of = { DATA_FOLDER, ENGINE_WEIGHT: '3', ENGINE_NAME: 'rack-2', ENGINE_POOL: '40' }
  expect(readConfig(of).engine).toEqual({ weight: 3, name: 'rack-2', pool: 40 })
  expect(() => readConfig({ ...of, ENGINE_WEIGHT: '0' })).toThrow('ENGINE_WEIGHT: must be at least 1')
  expect(() => readConfig({ ...of, ENGINE_WEIGHT: '1.5' })).toThrow('ENGINE_WEIGHT: must be a whole number')
  expect(() => readConfig({ ...of, ENGINE_POOL: '6' })).toThrow('ENGINE_POOL: ')
})

test('mail: an address to send to needs one to send from', () => {
  const mail = { SMTP_URL: 'smtps://u:p@mail.example.com', MAIL_FROM: 'Ghanti <calls@example.com>' }
  expect(readConfig({ DATA_FOLDER }).smtp).toBeNull()
  expect(readConfig({ DATA_FOLDER, ...mail }).smtp).toEqual({ url: mail.SMTP_URL, from: mail.MAIL_FROM })
  expect(() => readConfig({ DATA_FOLDER, SMTP_URL: mail.SMTP_URL })).toThrow('MAIL_FROM: is required with SMTP_URL')
  expect(() => readConfig({ DATA_FOLDER, ...mail, SMTP_URL: 'http://mail.example.com' })).toThrow('SMTP_URL: ')
  expect(() => readConfig({ DATA_FOLDER, ...mail, MAIL_FROM: 'nobody' })).toThrow('MAIL_FROM: ')
})

test('empty is absent; lists are split at commas', () => {
  expect(
    readConfig({ DATA_FOLDER, PORT: '', ROLES: 'engine, worker', TRUST_PROXY: '10.0.0.1,10.0.0.2' }),
  ).toMatchObject({
    port: 3000,
    roles: ['engine', 'worker'],
    trustProxy: ['10.0.0.1', '10.0.0.2'],
  })
})

test('--asterisk puts Asterisk in the simulator’s place, with the same haste; another argument is named', () => {
  expect(readConfig({ DATA_FOLDER })).toMatchObject({ asterisk: false, waitScale: null })
  expect(readConfig({ DATA_FOLDER }, ['--asterisk'])).toMatchObject({ asterisk: true, waitScale: 1 / 30 })
  expect(readConfig({ DATA_FOLDER, WAIT_SCALE: '0.5' }, ['--asterisk'])).toMatchObject({ waitScale: 0.5 })
  expect(() => readConfig({ DATA_FOLDER }, ['--astersk'])).toThrow('--astersk')
})

test('--no-console leaves the console to Vite, with the other arguments beside it', () => {
  expect(readConfig({ DATA_FOLDER }).noConsole).toBe(false)
  expect(readConfig({ DATA_FOLDER }, ['--no-console', '--asterisk'])).toMatchObject({ noConsole: true, asterisk: true })
})

test('--empty starts the demo without campaigns', () => {
  expect(readConfig({ DATA_FOLDER }).empty).toBe(false)
  expect(readConfig({ DATA_FOLDER }, ['--empty', '--smpp'])).toMatchObject({ empty: true, smpp: true })
})

test('--smpp puts an SMPP message centre in the simulated gateway’s place; hosts that may be private are compared without case', () => {
  expect(readConfig({ DATA_FOLDER })).toMatchObject({ smpp: false, privateHosts: [] })
  expect(readConfig({ DATA_FOLDER }, ['--smpp', '--asterisk'])).toMatchObject({ smpp: true, asterisk: true })
  expect(readConfig({ DATA_FOLDER, PRIVATE_HOSTS: 'SMS.office, 10.0.0.7' }).privateHosts).toEqual([
    'sms.office',
    '10.0.0.7',
  ])
})
