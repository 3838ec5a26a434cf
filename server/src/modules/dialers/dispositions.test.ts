import type { FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newLine, newSuperAdmin } from '../../testing/seed.ts'
import { trunkDispositionHandlers } from './routes-dispositions.ts'

const app = await testApp()
let http: FastifyInstance
let headers: { authorization: string }
let trunkId: number
beforeAll(async () => {
  http = await testHttp(app, { handlers: { trunkDispositions: trunkDispositionHandlers } })
  headers = await signedIn(app, await newSuperAdmin(app))
  ;({ trunkId } = await newLine(app))
})

const add = (payload: object, id = trunkId) =>
  http.inject({ method: 'POST', url: `/api/obd/trunk/dispositions/${id}`, headers, payload })
const listed = async () =>
  (await http.inject({ url: `/api/obd/trunk/dispositions/${trunkId}`, headers })).json<object[]>()
const remove = (id: number) => http.inject({ method: 'DELETE', url: `/api/obd/trunk/disposition/${id}`, headers })

test('the meaning of a trunk’s code is set, listed, audited and removed', async () => {
  const status = await add({ sipStatus: 480, disposition: 'INVALID', sign: 'good' })
  expect(status.statusCode, status.body).toBe(200)
  const cause = await add({ q850Cause: '34', disposition: 'CONGESTION', sign: 'broken' })
  const { dispositionId } = cause.json<{ dispositionId: number }>()
  expect(await listed()).toEqual([
    expect.objectContaining({ sipStatus: 480, q850Cause: null, disposition: 'INVALID', sign: 'good' }),
    { dispositionId, sipStatus: null, q850Cause: 34, disposition: 'CONGESTION', sign: 'broken' },
  ])
  expect((await remove(dispositionId)).statusCode).toBe(200)
  expect((await remove(dispositionId)).statusCode).toBe(404)
  expect(await listed()).toHaveLength(1)
  const log = await app.db.selectFrom('audit_log').select(['action', 'target']).orderBy('id').execute()
  expect(log.filter(({ action }) => action.startsWith('trunk.disposition'))).toEqual([
    { action: 'trunk.disposition.add', target: `trunk ${trunkId}` },
    { action: 'trunk.disposition.add', target: `trunk ${trunkId}` },
    { action: 'trunk.disposition.delete', target: `trunk ${trunkId}` },
  ])
})

const busy = { disposition: 'BUSY', sign: 'good' }
test.each([
  { why: 'no code', of: busy, field: 'sipStatus', text: 'is required, or a Q.850 cause' },
  {
    why: 'a status that does not exist',
    of: { ...busy, sipStatus: 700 },
    field: 'sipStatus',
    text: 'must be a whole number from 300 to 699',
  },
  {
    why: 'a status that ends no call',
    of: { ...busy, sipStatus: 180 },
    field: 'sipStatus',
    text: 'must be a whole number from 300 to 699',
  },
  {
    why: 'a cause that does not exist',
    of: { ...busy, q850Cause: 77 },
    field: 'q850Cause',
    text: 'is not a cause that Q.850 defines',
  },
  {
    why: 'a cause out of range',
    of: { ...busy, q850Cause: 128 },
    field: 'q850Cause',
    text: 'must be a whole number from 1 to 127',
  },
  {
    why: 'an answer is not for a code to say',
    of: { sipStatus: 486, disposition: 'ANSWER', sign: 'good' },
    field: 'disposition',
    text: 'must be one of BUSY, NO ANSWER, INVALID, REJECTED, FAILED, CONGESTION',
  },
  {
    why: 'a fault that would use up numbers',
    of: { sipStatus: 404, disposition: 'INVALID', sign: 'fault' },
    field: 'sign',
    text: 'must be good or refusal: what is the trunk’s fault is CONGESTION',
  },
  {
    why: 'congestion for which nobody is at fault',
    of: { sipStatus: 404, disposition: 'CONGESTION', sign: 'good' },
    field: 'sign',
    text: 'must be congested, fault or broken with CONGESTION',
  },
  { why: 'no meaning', of: { sipStatus: 404, sign: 'good' }, field: 'disposition', text: 'is required' },
])('refused with the field named: $why', async ({ of, field, text }) => {
  const reply = await add(of)
  expect(reply.statusCode, reply.body).toBe(400)
  expect(reply.json()).toMatchObject({ message: 'Parameters Incorrect', errors: [{ field, text }] })
})

test('a code has one meaning: a second row is refused, of ten at once one is kept', async () => {
  const replies = await Promise.all(Array.from({ length: 10 }, () => add({ ...busy, sipStatus: 481 })))
  expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  expect(replies.find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject({
    errors: [{ field: 'sipStatus', text: '481 has a row already: remove that one first' }],
  })
})

test('a status may have a meaning for one cause and another for the rest, and each pair one meaning', async () => {
  const both = { sipStatus: 487, q850Cause: 17 }
  expect((await add({ ...busy, sipStatus: 487 })).statusCode).toBe(200)
  const added = await add({ disposition: 'INVALID', sign: 'good', ...both })
  expect(added.statusCode, added.body).toBe(200)
  expect(await listed()).toContainEqual(expect.objectContaining({ ...both, disposition: 'INVALID' }))
  const csv = await http.inject({ url: `/api/obd/trunk/dispositions/${trunkId}?format=csv`, headers })
  expect(csv.body).toContain('"SIP 487, Cause 17"')
  const again = await add({ ...busy, ...both })
  expect(again.json()).toMatchObject({
    errors: [{ field: 'sipStatus', text: '487 with 17 has a row already: remove that one first' }],
  })
})

test('a trunk that is not there has no codes', async () => {
  expect((await add({ ...busy, sipStatus: 486 }, 999_999)).statusCode).toBe(404)
  expect((await http.inject({ url: '/api/obd/trunk/dispositions/999999', headers })).statusCode).toBe(404)
})
