import { appendFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import type { DialerConnection, DialRequest } from '../driver.ts'
import { EventRecorder } from '../event-recorder.ts'
import type { TrunkFault } from './numbers.ts'
import { createSimulator, type Simulator, type SimulatorOptions } from './simulator.ts'
import { polling } from '../../../testing/timeouts.ts'
import { simulatedDialer, simulatedTrunk, sound, temporaryFolder } from './testing.ts'

const dialer = simulatedDialer()
const cleanUps: (() => void)[] = []
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0).reverse()) cleanUp()
})

type Bench = { simulator: Simulator; connection: DialerConnection; events: EventRecorder; folder: string }

async function bench(options: Omit<SimulatorOptions, 'recordFolder'> = {}, recordFolder?: string): Promise<Bench> {
  const folder = recordFolder ?? newFolder()
  const simulator = createSimulator({ speed: 100, ...options, recordFolder: folder })
  cleanUps.push(() => simulator.close())
  const connection = await simulator.connect(dialer)
  await connection.setTrunks([simulatedTrunk])
  return { simulator, connection, events: new EventRecorder(connection), folder }
}

function newFolder(): string {
  const folder = temporaryFolder()
  cleanUps.push(folder.remove)
  return folder.path
}

function request(channelId: string, number: string): DialRequest {
  const [trunk, cli, deadlineMs] = [simulatedTrunk.name, '015970001', 1000]
  return { channelId, trunk, cli, number, ringMs: 45_000, talkMsMax: 60_000, deadlineMs }
}

test('times are exact to the ms and pass as much faster as requested', async () => {
  const slow = await bench({ speed: 1 })
  const { connection, events } = await bench({ speed: 200 })
  await slow.connection.dial(request('a', '+9779841000137'))
  const began = Date.now()
  await connection.dial(request('a', '+9779841000137'))
  const begunBy = Date.now()
  const end = await events.next('hungUp', 'a')
  expect(slow.events.storyOf('a')).not.toContain('hungUp') // it takes 11 s
  expect(end.startedAt).toBeGreaterThanOrEqual(began)
  expect(end.startedAt).toBeLessThanOrEqual(begunBy)
  expect((end.answeredAt ?? 0) - end.startedAt).toBe(1000)
  expect(end.at - end.startedAt).toBe(11_000)
})

test('keys are pressed at the times of the operator’s table', async () => {
  const { connection, events } = await bench()
  await connection.dial(request('a', '+9779841000132'))
  await events.next('hungUp', 'a')
  const answer = await events.next('answered', 'a')
  const keys = events.recorded.flatMap((event) => (event.type === 'digit' ? [[event.digit, event.at - answer.at]] : []))
  expect(keys).toEqual([
    ['1', 2160],
    ['2', 4160],
    ['3', 6160],
  ])
})

test.each<{ fault: TrunkFault; outcome: object }>([
  { fault: 'wrongPassword', outcome: { endedBy: 'network', sipStatus: 401, cause: 21, alerted: false } },
  { fault: 'refusing', outcome: { endedBy: 'network', sipStatus: 503, cause: 34, alerted: false } },
  { fault: 'silent', outcome: { endedBy: 'ringTimeout', sipStatus: null, cause: 102, alerted: false } },
])('a trunk with the fault $fault fails every call until it is mended', async ({ fault, outcome }) => {
  const { simulator, connection, events } = await bench({ speed: 500 })
  await simulator.control(dialer).setTrunkFault(simulatedTrunk.name, fault)
  await connection.dial(request('a', '+9779841000199'))
  expect(await events.next('hungUp', 'a')).toMatchObject(outcome)
  await simulator.control(dialer).setTrunkFault(simulatedTrunk.name, null)
  await connection.dial(request('b', '+9779841000109'))
  expect(await events.next('hungUp', 'b')).toMatchObject({ endedBy: 'callee' })
})

test('an unreachable trunk is refused when dialled, nothing rings and nothing is recorded', async () => {
  const { simulator, connection } = await bench()
  await simulator.control(dialer).setTrunkFault(simulatedTrunk.name, 'unreachable')
  expect(await connection.dial(request('a', '+9779841000199'))).toEqual({
    outcome: 'trunkFault',
    reason: 'trunk operator is unreachable',
  })
  expect((await connection.readRecord(0)).channels.size).toBe(0)
})

test('a transcript has what was heard and for how long, what was pressed, and how it ended', async () => {
  const { simulator, connection, events } = await bench({ keepTranscripts: true, speed: 20 })
  await connection.dial(request('a', '+9779841000115'))
  await events.next('answered', 'a')
  await connection.play('a', 'a-1', [sound('welcome', 1000), sound('menu', 60_000)])
  await events.next('digit', 'a')
  await connection.stopPlayback('a-1')
  await connection.play('a', 'a-2', [sound('thanks', 500)])
  await events.until((event) => event.type === 'playbackEnded' && event.playbackId === 'a-2')
  await connection.hangUp('a')
  const lines = await simulator.control(dialer).transcript('a')
  expect(lines.map(({ what, detail }) => `${what} ${detail}`)).toEqual([
    'heard welcome',
    'heard menu',
    'pressed 5',
    'heard thanks',
    'hungUp hangUp',
  ])
  expect(lines.map(({ ms }) => ms)).toEqual([1000, expect.any(Number), 0, 500, 0])
  expect(lines[1]?.ms).toBeLessThan(60_000)
})

test('after a power cut the record is complete, even with half a line; living channels have no end and began before the dialer', async () => {
  const first = await bench()
  await first.connection.dial(request('over', '+9779841000147'))
  await first.connection.dial(request('alive', '+9779841000199'))
  await Promise.all([first.events.next('hungUp', 'over'), first.events.next('answered', 'alive')])
  first.simulator.close()
  expect(await first.connection.hangUp('alive')).toBe('lost')
  appendFileSync(`${first.folder}/127.0.0.1-8088.csv`, 'HANGUP,17')
  const second = await bench({}, first.folder)
  await second.connection.dial(request('later', '+9779841000147'))
  await second.events.next('hungUp', 'later')
  const { upSince, channels } = await second.connection.readRecord(0)
  expect([...channels.keys()]).toEqual(['over', 'alive', 'later'])
  expect(channels.get('over')).toMatchObject({ cause: 16, endedByFarEnd: true })
  expect(channels.get('alive')).toMatchObject({ answeredAt: expect.any(Number), endedAt: null })
  expect(channels.get('alive')?.startedAt).toBeLessThan(upSince)
  expect(await second.connection.live()).toEqual([])
})

test('the record is trimmed one file at a time, once everything in the older one is settled', async () => {
  const { connection, events } = await bench()
  const call = async (channelId: string) => {
    await connection.dial(request(channelId, '+9779841000147'))
    return events.next('hungUp', channelId)
  }
  const first = await call('first')
  await connection.trimRecord(first.startedAt)
  await call('second')
  await connection.trimRecord(first.startedAt)
  expect([...(await connection.readRecord(0)).channels.keys()]).toEqual(['first', 'second'])
  await connection.trimRecord(Date.now() + 1)
  expect([...(await connection.readRecord(0)).channels.keys()]).toEqual(['second'])
})

test('in the demo whoever pressed a key hangs up within two minutes, so agents are free again', async () => {
  const { connection, events } = await bench({ mixture: true, speed: 1000 })
  await connection.dial({ ...request('presses', '+9779841200011'), talkMsMax: 600_000 })
  const end = await events.next('hungUp', 'presses')
  expect(end).toMatchObject({ endedBy: 'callee' })
  expect(end.at - (end.answeredAt ?? 0)).toBeGreaterThan(30_000)
  expect(end.at - (end.answeredAt ?? 0)).toBeLessThan(2160 + 120_000 + 5000)
})

test('in the demo a telephone rings some moments after it was dialled, one of the table too', async () => {
  const { connection, events } = await bench({ mixture: true, speed: 1000 })
  for (let at = 0; at < 40; at += 1) {
    const number = `+97798412${String(at).padStart(3, '0')}${at % 2 === 0 ? '99' : '13'}`
    await connection.dial(request(`${at}`, number))
    await events.next('hungUp', `${at}`)
  }
  const rang = events.recorded.filter((event) => event.type === 'ringing')
  expect(rang.length).toBeGreaterThan(30)
  const began = new Map(
    events.recorded.flatMap((event) => (event.type === 'hungUp' ? [[event.channelId, event.startedAt]] : [])),
  )
  for (const { at, channelId } of rang) {
    expect(at - (began.get(channelId) ?? 0)).toBeGreaterThanOrEqual(800)
    expect(at - (began.get(channelId) ?? 0)).toBeLessThanOrEqual(3500)
  }
})

test('the demo’s mixture repeats for the same seed, differs at the next attempt, and leaves the table alone', async () => {
  const numbers = Array.from({ length: 50 }, (_, at) => `+97798412${String(at).padStart(3, '0')}99`)
  const story = async (seed: number) => {
    const { connection, events } = await bench({ mixture: true, seed, speed: 1000 })
    for (const round of ['x', 'y']) {
      await Promise.all(numbers.map((number, at) => connection.dial(request(`${round}${at}`, number))))
      await Promise.all(numbers.map((_, at) => events.next('hungUp', `${round}${at}`)))
    }
    await connection.dial(request('busy', '+9779841200001'))
    expect((await events.next('hungUp', 'busy')).sipStatus).toBe(486)
    const ends = await Promise.all(
      ['x', 'y'].map((round) =>
        Promise.all(
          numbers.map(async (_, at) => {
            const end = await events.next('hungUp', `${round}${at}`)
            return `${events.storyOf(`${round}${at}`)} ${end.endedBy} ${end.sipStatus} ${end.at - end.startedAt}`
          }),
        ),
      ),
    )
    return ends
  }
  const [once, again, other] = [await story(7), await story(7), await story(8)]
  expect(again).toEqual(once)
  expect(other).not.toEqual(once)
  expect(once[1]).not.toEqual(once[0])
  const answered = once.flat().filter((line) => line.includes('answered')).length
  expect(answered).toBeGreaterThan(40)
  expect(answered).toBeLessThan(85)
})

test('ten thousand calls at once', async () => {
  const { connection, events } = await bench({ speed: 3 })
  const requests = Array.from({ length: 10_000 }, (_, at) =>
    request(`c${at}`, `+97798${String(41_000_000 + at * 100 + 37).padStart(8, '0')}`),
  )
  await Promise.all(requests.map((asked) => connection.dial(asked)))
  expect((await connection.live()).length).toBe(10_000)
  const ends = () => events.recorded.flatMap((event) => (event.type === 'hungUp' ? [event] : []))
  await expect.poll(() => ends().length, { ...polling, interval: 100 }).toBe(10_000)
  expect(await connection.live()).toEqual([])
  expect(ends().every((end) => end.answeredAt !== null && end.at - end.answeredAt === 10_000)).toBe(true)
})
