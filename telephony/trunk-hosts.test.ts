// @module-tag exhaustive
/** Trunks with several hosts, in order or by DNS: a host that fails is passed over. */
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { plainSipOptions, type SipOptions } from '@ghanti/contract/sip-options.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Trunk } from '../server/src/drivers/telephony/driver.ts'
import { systemNames } from '../server/src/drivers/telephony/asterisk/trunks/host-name.ts'
import { newNumber, openBench, operatorTrunk } from '../server/src/drivers/telephony/asterisk/testing.ts'
import { polling } from '../server/src/testing/timeouts.ts'
import { startDns } from './dns.ts'
import { startPeer } from './sipp/sipp.ts'
import { writeRefusing } from './sipp/scenarios.ts'
import { startWitness, type Witness } from './sipp/witness.ts'

type Records = Parameters<typeof startDns>[0]
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-hosts-'))
const records: Records = new Map()
const dns = await startDns(records)
const suite = await openBench('hosts', {}, systemNames([dns.address]))
let operator: Witness
let refuser: Awaited<ReturnType<typeof startPeer>>
beforeAll(async () => {
  operator = await startWitness(folder)
  refuser = await startPeer(folder, writeRefusing(folder, '503 Service Unavailable'))
})
afterAll(async () => {
  await suite.connection.setTrunks([])
  await suite.connection.close()
  await Promise.all([suite.fixture.close(), operator.end(), refuser.end()])
  dns.end()
  fs.rmSync(folder, { recursive: true, force: true })
})

const local = (port: number): string => `127.0.0.1:${port}`
/** A port where nobody listens. */
const dead = 9
function trunkWith(name: string, options: Partial<SipOptions>, other: Partial<Trunk> = {}): Trunk {
  return operatorTrunk(name, { ...other, options: { ...plainSipOptions, ...options } })
}
const stateOf = async (name: string) => (await suite.connection.trunkStates()).find((trunk) => trunk.name === name)
async function callOver(trunk: string) {
  const channelId = await suite.call('01', { trunk, number: newNumber('01') })
  return suite.events.next('hungUp', channelId)
}
/** The operator answers busy to everybody, which shows who was called. */
const byOperator = { endedBy: 'network', sipStatus: 486 }

test('all calls pass over a host that does not answer, while it registers beside one that does', async () => {
  const account = { user: 'a', secret: 'b', registers: true, port: dead }
  await suite.connection.setTrunks([trunkWith('order', { hosts: [local(operator.port)], aors: ['c'] }, account)])
  await expect.poll(async () => stateOf('order'), polling).toMatchObject({ reachable: true, registered: 'registered' })
  await suite.connection.optionsPing('order')
  await stateOf('order')
  for (const end of await Promise.all([callOver('order'), callOver('order')])) expect(end).toMatchObject(byOperator)
})

test('when no host answers, the trunk is unreachable, all hosts are named, and no call goes out', async () => {
  await suite.connection.setTrunks([trunkWith('none', { hosts: [local(dead + 1)] }, { port: dead })])
  const reason = 'trunk none: 127.0.0.1:9,127.0.0.1:10 does not answer OPTIONS'
  expect(await suite.connection.optionsPing('none')).toEqual({ reachable: false, reason })
  await expect.poll(() => stateOf('none'), polling).toMatchObject({ reachable: false })
  expect(await suite.connection.dial(suite.requestTo('01', { trunk: 'none' }))).toMatchObject({ outcome: 'trunkFault' })
})

test('later calls pass over a host that refused one for now', async () => {
  await suite.connection.setTrunks([trunkWith('full', { hosts: [local(operator.port)] }, { port: refuser.port })])
  expect(await callOver('full')).toMatchObject({ sipStatus: 503 })
  expect(await callOver('full')).toMatchObject(byOperator)
  expect(await callOver('full')).toMatchObject(byOperator)
})

test('servers are called in the order of DNS, by NAPTR or by SRV alone', async () => {
  const srv = (priority: number, port: number) =>
    ({ type: 'SRV', priority, weight: 1, port, target: 'sbc.example.np' }) as const
  records.set('sbc.example.np', [{ type: 'A', address: '127.0.0.1' }])
  records.set('byname.example.np', [
    { type: 'NAPTR', order: 1, preference: 1, flags: 's', service: 'SIP+D2T', replacement: 'tcp.example.np' },
    { type: 'NAPTR', order: 2, preference: 1, flags: 's', service: 'SIP+D2U', replacement: 'udp.example.np' },
  ])
  records.set('udp.example.np', [srv(20, operator.port), srv(10, dead)])
  records.set('bysrv.example.np', [{ type: 'A', address: '192.0.2.9' }])
  records.set('_sip._udp.bysrv.example.np', [srv(20, dead), srv(10, operator.port)])
  const byDns = (host: string) => trunkWith(host, { byDns: true }, { host })
  await suite.connection.setTrunks([byDns('byname.example.np'), byDns('bysrv.example.np')])
  for (const name of ['byname.example.np', 'bysrv.example.np']) {
    await expect.poll(() => stateOf(name), polling).toMatchObject({ reachable: true, fault: null })
    await suite.connection.optionsPing(name)
    await stateOf(name)
    expect(await callOver(name)).toMatchObject(byOperator)
  }
})

test('a domain without servers and address in DNS is reported as unreachable', async () => {
  const host = 'nothing.example.np'
  await suite.connection.setTrunks([trunkWith('nowhere', { byDns: true }, { host })])
  expect(await stateOf('nowhere')).toMatchObject({ fault: `DNS does not know its host ${host}` })
})
