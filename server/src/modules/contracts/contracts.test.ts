import type { FastifyInstance } from 'fastify'
import { nepaliOf } from '@ghanti/contract/nepali/texts.ts'
import { beforeAll, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { contractWords } from './rules.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
beforeAll(async () => {
  http = await testHttp(app)
  boss = await newSuperAdmin(app)
})
const post = async (path: string, payload: object, as = boss) =>
  http.inject({ method: 'POST', url: `/api/obd/${path}`, headers: await signedIn(app, as), payload })
const remove = async (contractId: number) =>
  http.inject({ method: 'DELETE', url: `/api/obd/contract/${contractId}`, headers: await signedIn(app, boss) })
const get = async <T>(path: string) =>
  (await http.inject({ url: `/api/obd/${path}`, headers: await signedIn(app, boss) })).json<T>()
const contracts = () => get<Record<string, unknown>[]>('contracts?sort=contractId&order=asc')
const errorsOf = (reply: { json: <T>() => T }) => reply.json<{ errors: { field: string; text: string }[] }>().errors
const newContract = async (contractName: string) =>
  (await post('contract', { contractName, channels: 300, cps: 30 })).json<{ contractId: number }>().contractId
const trunkIn = async ({ trunkId, dialerId }: { trunkId: number; dialerId: number }, contractId?: number) =>
  post('trunk/update', {
    trunkId,
    trunkName: `Trunk ${trunkId}`,
    pilotNumber: '015970000',
    dialerId,
    channels: 60,
    cps: 20,
    ...(contractId === undefined ? {} : { contractId }),
  })

test('a contract is made, shown with its trunks and what each dialer uses, changed, and deleted when no trunk belongs to it', async () => {
  const contractId = await newContract('Nepal Telecom')
  const [one, other] = [await newLine(app), await newLine(app)]
  for (const line of [one, other]) expect((await trunkIn(line, contractId)).statusCode).toBe(200)
  const lease = { engine_id: 'test', epoch: 3, expires_at: new Date(Date.now() + 3_600_000) }
  await app.db
    .insertInto('dialer_lease')
    .values({ dialer_id: one.dialerId, ...lease })
    .execute()
  const inUse = { channels: 40, legs: 12, channels_wanted: 60, cps: 20, begun: 5, cps_wanted: 20 }
  await app.db
    .insertInto('contract_grant')
    .values({ contract_id: contractId, dialer_id: one.dialerId, epoch: 3, asked_at: new Date(), ...inUse })
    .execute()
  expect(await contracts()).toMatchObject([
    {
      contractId,
      contractName: 'Nepal Telecom',
      channels: 300,
      cps: 30,
      channelsUsed: 12,
      callsPerSecond: 5,
      trunks: [{ trunkId: one.trunkId }, { trunkId: other.trunkId }],
      dialers: [{ channelsUsed: 12, channelsGranted: 40, callsPerSecond: 5, cpsGranted: 20 }],
    },
  ])
  expect(await get(`trunk/detail/${one.trunkId}`)).toMatchObject({ contractId, contractName: 'Nepal Telecom' })
  const change = { contractId, contractName: 'NTC IMS', channels: '250', cps: '25' }
  expect((await post('contract/update', change)).statusCode).toBe(200)
  expect(await contracts()).toMatchObject([{ contractName: 'NTC IMS', channels: 250, cps: 25 }])
  const refused = await remove(contractId)
  expect([refused.statusCode, errorsOf(refused)[0]?.text]).toEqual([
    409,
    expect.stringContaining(`'Trunk ${one.trunkId}', 'Trunk ${other.trunkId}': take them out first`),
  ])
  expect((await trunkIn(one)).statusCode).toBe(200) // the field is left out, so the trunk keeps its contract
  expect(await contracts()).toMatchObject([{ trunks: [{}, {}] }])
  for (const line of [one, other]) expect((await trunkIn(line, 0)).statusCode).toBe(200)
  const gone = [await remove(contractId), await remove(contractId)]
  expect([gone.map(({ statusCode }) => statusCode), await contracts()]).toEqual([[200, 404], []])
})

test.each([
  { why: 'no name', of: { contractName: ' ' }, field: 'contractName', says: /is required/ },
  { why: 'no channels', of: { channels: 0 }, field: 'channels', says: /from 1 to/ },
  { why: 'half a call a second', of: { cps: '0.5' }, field: 'cps', says: /whole number/ },
  { why: 'a rate that no operator has', of: { cps: 100_000 }, field: 'cps', says: /from 1 to/ },
])('a contract with $why is refused in words that name the field, and none is made', async ({ of, field, says }) => {
  const refused = await post('contract', { contractName: 'Wrong', channels: 30, cps: 10, ...of })
  expect(refused.statusCode).toBe(400)
  expect(errorsOf(refused)).toContainEqual(expect.objectContaining({ field, text: expect.stringMatching(says) }))
  expect(await contracts()).toEqual([])
})

test('a name is taken once, whatever its letters’ case, and free again when its contract is deleted', async () => {
  const contractId = await newContract('Ncell')
  const again = await post('contract', { contractName: 'NCELL', channels: 30, cps: 10 })
  expect([again.statusCode, errorsOf(again)[0]?.field]).toEqual([409, 'contractName'])
  await remove(contractId)
  const next = await newContract('NCELL')
  expect((await remove(next)).statusCode).toBe(200)
})

test('a trunk is refused a contract that does not exist', async () => {
  const line = await newLine(app)
  const missing = await trunkIn(line, 999_999)
  expect([missing.statusCode, errorsOf(missing)[0]?.field]).toEqual([400, 'contractId'])
})

test('what was changed is in the audit log; nobody but super admins sees contracts', async () => {
  const contractId = await newContract('Audited')
  await remove(contractId)
  const rows = await app.db
    .selectFrom('audit_log')
    .select('action')
    .where('target', '=', `contract ${contractId}`)
    .orderBy('id')
    .execute()
  expect(rows.map(({ action }) => action)).toEqual(['contract.create', 'contract.delete'])
  const user = await newUser(app)
  expect((await post('contract', { contractName: 'Mine', channels: 1, cps: 1 }, user)).statusCode).toBe(403)
})

test.each([contractWords.none, contractWords.inUse('नेपाल')])('it is said in Nepali, too: %s', (text) =>
  expect(nepaliOf(text)).not.toMatch(/[A-Za-z]/),
)
