import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type DialRequest, TelephonyError } from '../driver.ts'
import { EventRecorder } from '../event-recorder.ts'
import { connectControl, createSimulatorClient } from './client.ts'
import { simulatedTrunk, startSimulatorProcess, temporaryFolder } from './testing.ts'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

function newFolder(): string {
  const folder = temporaryFolder()
  cleanUps.push(folder.remove)
  return folder.path
}

async function start(options: Parameters<typeof startSimulatorProcess>[0]) {
  const simulator = await startSimulatorProcess(options)
  cleanUps.push(() => simulator.kill())
  return simulator
}

function request(channelId: string, suffix: string): DialRequest {
  const [trunk, cli, deadlineMs] = [simulatedTrunk.name, '015970001', 1000]
  return { channelId, trunk, cli, number: `+97798410001${suffix}`, ringMs: 45_000, talkMsMax: 60_000, deadlineMs }
}

test('a simulator that dies is reported as lost and, once back, as restored: another network with the same record', async () => {
  const folder = newFolder()
  const first = await start({ speed: 20, folder })
  const connection = await createSimulatorClient().connect(first.dialer)
  cleanUps.push(() => connection.close())
  const events = new EventRecorder(connection)
  await connection.setTrunks([simulatedTrunk])
  await connection.dial(request('alive', '99'))
  await events.next('answered', 'alive')
  const before = await connection.readRecord(0)
  await first.kill()
  await events.next('lost')
  expect(await connection.dial(request('b', '99'))).toMatchObject({ outcome: 'notSent' })
  expect(await connection.hangUp('alive')).toBe('lost')
  await expect(connection.live()).rejects.toThrow(TelephonyError)
  await start({ speed: 20, folder, port: first.dialer.port })
  await events.next('restored')
  expect(await connection.dial(request('c', '99'))).toMatchObject({ outcome: 'trunkFault' })
  await connection.setTrunks([simulatedTrunk])
  expect(await connection.live()).toEqual([])
  const after = await connection.readRecord(0)
  expect(after.upSince).toBeGreaterThan(before.upSince)
})

test('a request in transit when the simulator dies may have rung, and is answered as unknown', async () => {
  const simulator = await start({ speed: 20, folder: newFolder() })
  const connection = await createSimulatorClient().connect(simulator.dialer)
  cleanUps.push(() => connection.close())
  const events = new EventRecorder(connection)
  await connection.setTrunks([simulatedTrunk])
  const killed = simulator.kill()
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
  const replies = await Promise.all([connection.dial(request('a', '99')), connection.dial(request('b', '99')), killed])
  await events.next('lost')
  for (const reply of replies.slice(0, 2)) expect(['unknown', 'notSent', 'dialled']).toContain(reply?.outcome)
})

test('when a simulator stops without closing its sockets, a dial is unknown after its deadline', async () => {
  const simulator = await start({ speed: 20, folder: newFolder() })
  const connection = await createSimulatorClient().connect(simulator.dialer)
  cleanUps.push(() => connection.close())
  await connection.setTrunks([simulatedTrunk])
  simulator.signal('SIGSTOP')
  expect(await connection.dial({ ...request('a', '99'), deadlineMs: 100 })).toEqual({
    outcome: 'unknown',
    reason: 'no answer in 100 ms',
  })
  simulator.signal('SIGCONT')
  await expect.poll(() => connection.live()).toMatchObject([{ channelId: 'a' }])
})

test('a simulator that stopped answering is reported as lost soon after a call that it did not answer', async () => {
  const simulator = await start({ speed: 20, folder: newFolder() })
  const connection = await createSimulatorClient().connect(simulator.dialer)
  cleanUps.push(() => connection.close())
  const events = new EventRecorder(connection)
  await connection.setTrunks([simulatedTrunk])
  const stoppedAt = performance.now()
  simulator.signal('SIGSTOP')
  await connection.dial({ ...request('a', '99'), deadlineMs: 100 })
  await events.next('lost')
  expect(performance.now() - stoppedAt).toBeLessThan(3500)
})

test('a missing simulator is an error in words', async () => {
  const simulator = await start({ speed: 20, folder: newFolder() })
  await simulator.kill()
  await expect(createSimulatorClient().connect(simulator.dialer)).rejects.toThrow(/^no simulator at 127\.0\.0\.1:\d+: /)
})

test('the control sees and changes without taking over', async () => {
  const simulator = await start({ speed: 100, folder: newFolder(), transcripts: true })
  const connection = await createSimulatorClient().connect(simulator.dialer)
  cleanUps.push(() => connection.close())
  const events = new EventRecorder(connection)
  await connection.setTrunks([simulatedTrunk])
  const control = await connectControl(simulator.dialer)
  cleanUps.push(() => control.close())
  await control.setTrunkFault(simulatedTrunk.name, 'wrongPassword')
  await connection.dial(request('a', '99'))
  expect(await events.next('hungUp', 'a')).toMatchObject({ sipStatus: 401 })
  expect(await control.transcript('a')).toMatchObject([{ what: 'hungUp', detail: 'network' }])
})

test('an invalid request closes the socket of its sender, and the simulator goes on', async () => {
  const simulator = await start({ speed: 20, folder: newFolder() })
  for (const nonsense of [
    '',
    '{',
    '[{"id":1}]',
    '[{"id":1,"name":"toString","input":{}}]',
    '[{"id":1,"name":"dial","input":{}}]',
  ]) {
    const socket = new WebSocket(`ws://127.0.0.1:${simulator.dialer.port}/control`)
    const closed = new Promise<number>((resolve) => socket.on('close', resolve))
    socket.on('open', () => socket.send(nonsense))
    expect([1003, 1011]).toContain(await closed)
  }
  const connection = await createSimulatorClient().connect(simulator.dialer)
  expect(await connection.live()).toEqual([])
  await connection.close()
})
