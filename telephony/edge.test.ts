// @module-tag exhaustive
/** Calls through the edge: operators see one address, whichever dialer calls, and nobody else can call through it. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { plainSipOptions } from '@ghanti/contract/sip-options.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openBench, operatorTrunk } from '../server/src/drivers/telephony/asterisk/testing.ts'
import type { Trunk } from '../server/src/drivers/telephony/driver.ts'
import { polling } from '../server/src/testing/timeouts.ts'
import { startEdge, type Edge } from './edge/edge.ts'
import { startSipp, type Sipp } from './sipp/sipp.ts'
import { startWitness, type Witness } from './sipp/witness.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-edge-'))
const address = '127.0.0.8'
const settings = { EDGE_DIALERS: '127.0.0.1', EDGE_OPERATORS: '127.0.0.6,127.0.1.0/24', EDGE_KEY: 'a-key-of-tests' }
const suite = await openBench('edge')
let edge: Edge
let operator: Witness
let network: Sipp
beforeAll(async () => {
  edge = await startEdge(folder, address, settings)
  operator = await startWitness(folder)
  network = await startSipp(path.join(folder, 'sipp'))
})
afterAll(async () => {
  await suite.connection.setTrunks([])
  await suite.connection.close()
  await Promise.all([suite.fixture.close(), edge.end(), operator.end(), network.stop()])
  fs.rmSync(folder, { recursive: true, force: true })
})

/** A trunk to this place over the edge. */
async function useTrunk(name: string, { host, port }: { host: string; port: number }, other: Partial<Trunk> = {}) {
  const options = { ...plainSipOptions, outboundProxy: edge.place }
  await suite.connection.setTrunks([operatorTrunk(name, { host, port, ...other, options })])
}
const stateOf = async (name: string) => (await suite.connection.trunkStates()).find((trunk) => trunk.name === name)

test('the operator sees the edge alone in calls and OPTIONS, and it is the edge that registers', async () => {
  await useTrunk('witness', operator, { user: '015970001', secret: 'secret', registers: true })
  await expect
    .poll(async () => await stateOf('witness'), polling)
    .toMatchObject({ reachable: true, registered: 'registered', fault: null })
  const channelId = await suite.call('01', { trunk: 'witness' })
  expect(await suite.events.next('hungUp', channelId)).toMatchObject({ sipStatus: 486 })
  const dialerPort = inject('asterisk').ports.AST_SIP_PORT
  const headOf = (method: string) =>
    (operator.messages().find((one) => one.startsWith(`${method} `)) ?? '').split(/\r?\n\r?\n/)[0] ?? ''
  expect(headOf('REGISTER')).toMatch(/^Via: SIP\/2\.0\/UDP 127\.0\.0\.8:/m)
  for (const head of [headOf('INVITE'), headOf('OPTIONS')]) {
    expect(/^Via: SIP\/2\.0\/UDP ([\d.]+:\d+)/m.exec(head)?.[1], head).toBe(edge.place)
    expect(/^Contact: .*?sip:(?:\w+@)?([\d.]+)/m.exec(head)?.[1], head).toBe(address)
    expect(head).not.toContain(`127.0.0.1:${dialerPort}`)
  }
})

test('calls are answered, hung up by either side, cancelled and refused through the edge, and keys are heard', async () => {
  await useTrunk('network', network.operator)
  const answered = await suite.answeredCall('46', { trunk: 'network' })
  expect(await suite.connection.hangUp(answered)).toBe('done')
  expect(await suite.events.next('hungUp', answered)).toMatchObject({ endedBy: 'hangUp' })
  const keyed = await suite.answeredCall('15', { trunk: 'network' })
  expect(await suite.events.next('digit', keyed)).toMatchObject({ digit: '5' })
  await suite.connection.hangUp(keyed)
  const leaves = await suite.answeredCall('47', { trunk: 'network' })
  expect(await suite.events.next('hungUp', leaves)).toMatchObject({ endedBy: 'callee' })
  const rings = await suite.call('02', { trunk: 'network', ringMs: 3000 })
  expect(await suite.events.next('hungUp', rings)).toMatchObject({ endedBy: 'ringTimeout', alerted: true })
  const refused = await suite.call('03', { trunk: 'network' })
  expect(await suite.events.next('hungUp', refused)).toMatchObject({ sipStatus: 603 })
  const ends = network.operator.log().filter(({ what }) => what === 'ENDED').length
  expect(ends).toBeGreaterThanOrEqual(2)
})

test('an operator’s password is asked and given through the edge', async () => {
  await useTrunk('account', inject('asterisk').operator, { user: 'line1', secret: 'line1-secret', registers: true })
  await expect.poll(async () => (await stateOf('account'))?.registered, polling).toBe('registered')
  const channelId = await suite.answeredCall('46', { trunk: 'account' })
  await suite.connection.hangUp(channelId)
  expect(await suite.events.next('hungUp', channelId)).toMatchObject({ endedBy: 'hangUp' })
})

test('an operator that says nothing is a fault after 5 s, so that the next trunk takes the call', async () => {
  await useTrunk('silent', network.operator)
  const channelId = await suite.call('44', { trunk: 'silent', ringMs: 9000 })
  expect(await suite.events.next('hungUp', channelId)).toMatchObject({ sipStatus: 504, alerted: false })
})

test('nobody but a dialer calls through it: operators get 403 and 200 to OPTIONS, strangers no reply', async () => {
  expect(await asks('OPTIONS', '127.0.0.6')).toBe(200)
  expect(await asks('INVITE', '127.0.1.9')).toBe(403)
  expect(await asks('INVITE', '127.0.0.5')).toBeNull()
  expect(await asks('OPTIONS', '127.0.0.5')).toBeNull()
  expect(operator.messages().filter((one) => one.includes('stranger'))).toEqual([])
})

/** The status of the first final reply to a request for the operator from this address; null: none came within a second. */
async function asks(method: 'OPTIONS' | 'INVITE', from: string): Promise<number | null> {
  const socket = createSocket('udp4')
  socket.bind(0, from)
  await once(socket, 'listening')
  const [host, port] = edge.place.split(':')
  const own = `${from}:${socket.address().port}`
  const request = [
    `${method} sip:9779841000146@${operator.host}:${operator.port} SIP/2.0`,
    `Via: SIP/2.0/UDP ${own};branch=z9hG4bKstranger${socket.address().port}`,
    `From: <sip:stranger@${from}>;tag=stranger`,
    `To: <sip:9779841000146@${operator.host}>`,
    `Call-ID: stranger-${method}-${from}`,
    `CSeq: 1 ${method}`,
    `Contact: <sip:stranger@${own}>`,
    'Max-Forwards: 70',
    'Content-Length: 0',
  ]
  socket.send([...request, '', ''].join('\r\n'), Number(port), host)
  const reply = await Promise.race([once(socket, 'message'), sleep(1000)])
  socket.close()
  return reply ? Number(/^SIP\/2\.0 (\d+)/.exec(String(reply[0]))?.[1]) : null
}

test('a call outlives the edge that began it: another with the same address and key passes on its end', async () => {
  await useTrunk('outlives', network.operator)
  const channelId = await suite.answeredCall('46', { trunk: 'outlives' })
  const ended = () => network.operator.log().filter(({ what }) => what === 'ENDED').length
  const before = ended()
  await edge.end()
  edge = await startEdge(folder, address, settings, edge.port)
  await suite.connection.hangUp(channelId)
  await suite.events.next('hungUp', channelId)
  await expect.poll(ended, polling).toBe(before + 1)
})
