import * as fs from 'node:fs'
import * as path from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const read = (file: string): string => fs.readFileSync(path.join(import.meta.dirname, '..', file), 'utf8')
const passedOn = (file: string): string[] =>
  [...read(file).matchAll(/^ +([A-Z_]+): /gm)].flatMap(([, name]) => name ?? [])
const demanded = (file: string): string[] =>
  [...read(file).matchAll(/\$\{([A-Z_]+):\?/g)].flatMap(([, name]) => name ?? [])

test('compose.yaml passes on every setting in operating.md except those of the demo', () => {
  const [ofProduction = ''] = read('docs/operating.md').split('### The demo')
  const rows = ofProduction.match(/^\| `[A-Z_]+`.*$/gm) ?? []
  const documented = rows
    .flatMap((row) => row.split('|')[1]?.match(/[A-Z_]+/g) ?? [])
    .filter((name) => name !== 'DATA_FOLDER') // set by the image itself
  expect(documented).toContain('RECORDING_DAYS')
  expect(passedOn('compose.yaml')).toEqual(expect.arrayContaining(documented))
})

test('compose.dialer.yaml passes on every setting of the dialer and requires only its password', () => {
  const comment = read('telephony/asterisk-container.sh').match(/^# {3}[A-Z_]+(, [A-Z_]+)*(?= )/gm) ?? []
  const documented = comment.flatMap((line) => line.match(/[A-Z_]+/g) ?? [])
  expect(documented).toEqual(expect.arrayContaining(['ARI_USER', 'HTTP_PORT', 'ARI_TLS_KEY']))
  expect(passedOn('compose.dialer.yaml')).toEqual(expect.arrayContaining(documented))
  expect(demanded('compose.dialer.yaml')).toEqual(['ARI_PASSWORD'])
})

test('compose.yaml passes on every setting of the edge and requires none of those who have no edge', () => {
  const comment = read('telephony/edge/edge.sh').match(/^# {3}EDGE_[A-Z_]+(, EDGE_[A-Z_]+)*/gm) ?? []
  const documented = comment
    .flatMap((line) => line.match(/EDGE_[A-Z_]+/g) ?? [])
    .filter((name) => !/_(CHILDREN|LOG)$/.test(name))
  expect(documented).toEqual(expect.arrayContaining(['EDGE_DIALERS', 'EDGE_TLS_KEY']))
  expect(passedOn('compose.yaml')).toEqual(expect.arrayContaining(documented))
  expect(demanded('compose.yaml').filter((name) => name.startsWith('EDGE_'))).toEqual([])
})

type Service = Partial<{
  build: { args?: Record<string, string> }
  command: string[]
  environment: Record<string, string>
  cap_add: string[]
}>
type Compose = { services: Record<string, Service> }
const { services: whole }: Compose = parse(read('compose.yaml'), { merge: true })
const { services: dialer }: Compose = parse(read('compose.dialer.yaml'))
const service = (name: string): Service => whole[name] ?? {}

test.each([
  ['database', whole],
  ['migrate', whole],
  ['server', whole],
  ['edge', whole],
  ['asterisk', dialer],
])(
  '%s has a root filesystem that is only read, no capabilities but those it names, and gains no privileges',
  (name, all) => {
    expect(all[name]).toMatchObject({
      read_only: true,
      tmpfs: expect.arrayContaining(['/tmp']),
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
  },
)

test('only the database’s container, which drops to an ordinary user by itself, gets capabilities', () => {
  const given = Object.entries({ ...whole, ...dialer }).filter(([, one]) => one.cap_add)
  expect(given.map(([name]) => name)).toEqual(['database'])
})

test.each([
  ['Dockerfile', 'node'],
  ['telephony/Dockerfile', 'asterisk'],
  ['telephony/edge/Dockerfile', 'kamailio'],
])('%s ends as the ordinary user %s', (file, user) => {
  expect(read(file).match(/^USER .*$/gm)).toEqual([`USER ${user}`])
})

test('the profile’s edge is the one of the tests: the same start and configuration, the packages that they unpack, and a folder for its certificates', () => {
  expect(service('edge')).toMatchObject({
    profiles: ['edge'],
    network_mode: 'host',
    build: { context: '.', dockerfile: 'telephony/edge/Dockerfile' },
    volumes: ['./tls:/etc/ghanti/tls:ro'],
  })
  const image = read('telephony/edge/Dockerfile')
  const copied = /^COPY (.*) \S+$/m.exec(image)?.[1]?.split(' ')
  expect(copied).toEqual(['telephony/edge/edge.sh', 'telephony/edge/kamailio.cfg'])
  expect(image).toMatch(/^CMD \["\/opt\/ghanti\/edge\/edge\.sh"\]$/m)
  expect(read('telephony/edge/edge.ts')).toContain("script('edge.sh')")
  const packages = (text: string, before: RegExp) => before.exec(text)?.[1]?.trim().split(' ')
  const unpacked = packages(read('telephony/edge/kamailio.sh'), /apt-get -qq download ([a-z -]+) &&/)
  expect(unpacked).toEqual(['kamailio', 'kamailio-tls-modules'])
  expect(packages(image, /--no-install-recommends ([a-z -]+) \\/)).toEqual(unpacked)
})

test('the server’s image takes Node from a base named by digest, and runs no package’s scripts', () => {
  const image = read('Dockerfile')
  expect(image.match(/^FROM .*$/gm)).toEqual(['FROM ${NODE_IMAGE} AS server'])
  expect(image.match(/^ARG .*$/gm)).toEqual(['ARG NODE_IMAGE', 'ARG NODE_IMAGE']) // before and after FROM, without a default
  expect(image).toContain('*@sha256:*) ;; *)')
  expect(image.match(/npm ci[^&]*/g)).toEqual(['npm ci --omit=dev --ignore-scripts '])
  expect(service('server').build?.args).toEqual({ NODE_IMAGE: '${NODE_IMAGE:?set NODE_IMAGE in .env}' })
  const { devDependencies }: { devDependencies: { node: string } } = JSON.parse(read('package.json'))
  expect(image).toContain(`grep -E '^v${devDependencies.node.split('.')[0]}\\.'`)
})

test('the server’s login owns nothing; the migration, run as the owner, creates it', () => {
  const loginOf = (name: string) =>
    new URL(service(name).environment?.['DATABASE_URL']?.replace(/\$\{[^}]*\}/, 'x') ?? '').username
  expect(service('database').environment?.['POSTGRES_USER']).toBe(loginOf('migrate'))
  expect(loginOf('server')).not.toBe(loginOf('migrate'))
  expect(service('migrate').command?.at(-1)).toContain(
    `migrate && echo "$$DATABASE_PASSWORD" | node server/src/admin.ts database-login ${loginOf('server')}`,
  )
  expect(JSON.stringify(service('server'))).not.toContain('POSTGRES_PASSWORD')
})

test('settings that compose.yaml requires are in the .env at its top', () => {
  const documented = [...read('compose.yaml').matchAll(/^# {3}([A-Z_]+)=/gm)].flatMap(([, name]) => name ?? [])
  expect([...new Set([...demanded('compose.yaml'), ...demanded('compose.dialer.yaml')])].toSorted()).toEqual(
    documented.toSorted(),
  )
})
