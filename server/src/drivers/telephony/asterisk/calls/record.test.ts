import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChannelRecord } from '../../driver.ts'
import type { Suite } from '../../suite-bench.ts'
import { takeLines, WitnessRecord } from './record.ts'
import { AriHttp } from '../ari/http.ts'
import { DialerClock } from '../ari/dialer-clock.ts'
import { asteriskDialer, newNumber, openBench, operatorCalls } from '../testing.ts'
import { polling } from '../../../../testing/timeouts.ts'

test('lines of both files make one record; a torn line, and a channel whose beginning was trimmed, are left out', () => {
  const channels = new Map<string, ChannelRecord>()
  const start = '"CHAN_START","1795300379.036142","a-1",""\n"CHAN_START","1795300379.100000","a-2",""\n'
  const hangUp = (cause: number, source: string) =>
    `"{""hangupcause"":${cause},""hangupsource"":""${source}"",""dialstatus"":""""}"`
  const rest = `"ANSWER","1795300380.500999","a-1",""\n"HANGUP","1795300382.250500","a-1",${hangUp(16, '')}\n`
  expect(takeLines(`${start}${rest}`, channels)).toBe(1_795_300_379_036)
  expect(takeLines(`"HANGUP","1795300370.0","old",${hangUp(17, 'PJSIP/x')}\n${rest}"HANGUP","17953`, channels)).toBe(
    1_795_300_370_000,
  )
  expect(takeLines('', channels)).toBeNull()
  const one = { channelId: 'a-1', startedAt: 1_795_300_379_036, answeredAt: 1_795_300_380_500 }
  expect(channels.get('a-1')).toEqual({ ...one, endedAt: 1_795_300_382_250, cause: 16, endedByFarEnd: false })
  expect([...channels.keys()]).toEqual(['a-1', 'a-2'])
  expect(channels.get('a-2')).toMatchObject({ answeredAt: null, endedAt: null, cause: null })
})

test('what the dialplan noted of a call’s sound makes the record say what its end said', () => {
  const channels = new Map<string, ChannelRecord>()
  const of = (id: string, cause: number, source: string, note: string) =>
    `"CHAN_START","1795300000.0","${id}","",""\n"ANSWER","1795300001.0","${id}","",""\n` +
    `"HANGUP","1795300066.0","${id}","{""hangupcause"":${cause},""hangupsource"":""${source}""}","${note}"\n`
  takeLines(
    of('lost', 44, '', '250/60000') +
      of('mute', 58, '', '/60000') +
      of('heard', 44, 'PJSIP/x', '9/60000') +
      of('held', 16, '', '0/60000'),
    channels,
  )
  const answeredAt = 1_795_300_001_000
  expect(channels.get('lost')).toMatchObject({ answeredAt, silentMs: 60_000, endedByFarEnd: true })
  expect(channels.get('mute')).toMatchObject({ answeredAt: null, alerted: true, cause: 58, endedByFarEnd: true })
  expect(channels.get('heard')).toEqual(expect.objectContaining({ answeredAt, cause: 44, endedByFarEnd: true }))
  expect(channels.get('heard')).not.toHaveProperty('silentMs')
  expect(channels.get('held')).toMatchObject({ answeredAt, soundless: true, endedByFarEnd: false })
  expect(channels.get('heard')).not.toHaveProperty('soundless')
})

test('only the part of a long record that is asked for is read, and all of it', () => {
  const line = (event: string, n: number) => `"${event}","${1_795_300_000 + n / 10}","a-${n}",""\n`
  const lines = Array.from({ length: 2000 }, (_, n) => line('CHAN_START', n) + line('ANSWER', n))
  lines.splice(1500, 0, '"CHAN_START","17953\n') // a torn line
  for (const first of [0, 1, 700, 1499, 1500, 1999]) {
    const channels = new Map<string, ChannelRecord>()
    const since = 1_795_300_000_000 + first * 100
    expect(takeLines(lines.join(''), channels, since)).toBe(1_795_300_000_000)
    const asked = [...channels.values()].filter(({ startedAt }) => startedAt >= since)
    expect(asked.map(({ channelId }) => channelId)).toEqual(
      Array.from({ length: 2000 - first }, (_, n) => `a-${first + n}`),
    )
    expect(asked.every(({ startedAt, answeredAt }) => startedAt === answeredAt)).toBe(true)
    expect(channels.size).toBeLessThan(2000 - first + 80)
  }
})

let suite: Suite
beforeAll(async () => {
  suite = await openBench('witness')
})
afterAll(async () => {
  await suite.connection.setTrunks([])
  await suite.connection.close()
  await suite.fixture.close()
})

test('every INVITE that reached the operator is on record, answered or not, and no call rang twice', async () => {
  const since = Date.now() - 1000
  const suffixes = ['01', '02', '03', '05', '06', '08', '35', '38', '39', '45', '46', '47', '48', '99']
  const numbers = Array.from({ length: 42 }, (_, at) => newNumber(suffixes[at % suffixes.length] ?? '99'))
  const dialled = await Promise.all(
    numbers.map(async (number) => {
      const request = suite.requestTo('', { number, ringMs: 4000, talkMsMax: 1500, deadlineMs: 5000 })
      expect(await suite.connection.dial(request)).toEqual({ outcome: 'dialled' })
      return request.channelId
    }),
  )
  const ends = await Promise.all(dialled.map((channelId) => suite.events.next('hungUp', channelId)))
  const reached = () => operatorCalls().filter(({ number }) => numbers.includes(`+${number}`))
  await expect.poll(() => reached().length, polling).toBe(new Set(numbers).size)
  const { channels } = await suite.connection.readRecord(since)
  for (const end of ends) {
    const record = channels.get(end.channelId)
    expect(record).toMatchObject({ answeredAt: end.answeredAt, endedAt: expect.any(Number) })
    expect(Math.abs((record?.endedAt ?? 0) - end.at)).toBeLessThanOrEqual(5)
  }
})

test('readers that meet, as an engine that dies and the one that takes over do, all read the whole record', async () => {
  const readers = Array.from({ length: 2 }, () => {
    const http = new AriHttp(asteriskDialer('/nowhere'))
    return { http, record: new WitnessRecord('meeting', http, new DialerClock()) }
  })
  for (let time = 0; time < 10; time++) {
    const found = await Promise.all(readers.map(({ record }) => record.read(0)))
    for (const { channels } of found) expect(channels.size).toBeGreaterThan(0)
  }
  for (const { http } of readers) http.cut()
})
