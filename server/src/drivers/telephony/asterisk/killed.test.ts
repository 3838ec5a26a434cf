// @module-tag exhaustive
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { type DialerEvent, TelephonyError } from '../driver.ts'
import { SoundFolder } from '../sound-folder.ts'
import type { Suite } from '../suite-bench.ts'
import { asteriskDriver } from './asterisk.ts'
import { AriHttp } from './ari/http.ts'
import { asteriskDialer, openBench, operatorTrunk, ownDialer } from './testing.ts'
import { polling } from '../../../testing/timeouts.ts'

async function sizeOf(suite: Suite, recordingId: string): Promise<{ header: number; bytes: number }> {
  const pieces: Buffer[] = []
  for await (const piece of await suite.connection.fetchRecording(recordingId)) pieces.push(Buffer.from(piece))
  const wav = Buffer.concat(pieces)
  return { header: wav.readUInt32LE(40), bytes: wav.length - 44 }
}

test('a dialer without trunks can be connected, and takes its first one', async () => {
  const own = await ownDialer()
  const sounds = new SoundFolder()
  const connection = await asteriskDriver().connect({ ...asteriskDialer(sounds.shared), ...own.dialer })
  try {
    await connection.setTrunks([])
    expect(await connection.trunkStates()).toEqual([])
    await connection.setTrunks([operatorTrunk('first')])
    expect(await connection.trunkStates()).toMatchObject([{ name: 'first', fault: null }])
  } finally {
    await connection.close()
    sounds.remove()
    await own.remove()
  }
})

test('Asterisk is killed in mid-call and comes back: lost and restored are reported, trunks set again, and the record and recordings remain', async () => {
  const own = await ownDialer()
  const suite = await openBench('ghanti', own.dialer)
  const trunks = [operatorTrunk('operator', inject('asterisk').operator)]
  try {
    const before = Date.now() - 5000
    const [customer, agent] = [await suite.answeredCall('33', { talkMsMax: 90_000 }), await suite.answeredCall('33')]
    const ended = await suite.answeredCall('47')
    await suite.events.next('hungUp', ended)
    await suite.connection.bridge(`${customer}-b`, [customer, agent])
    await suite.connection.record(`${customer}-b`, `${customer}-r`)
    const { upSince } = await suite.connection.readRecord(before)
    await expect.poll(async () => (await suite.connection.live()).length, polling).toBe(2)
    const key = await suite.answeredCall('12')
    await suite.events.next('digit', key) // some seconds are recorded by then
    own.kill()
    await suite.events.next('lost')
    expect(await suite.connection.dial(suite.requestTo('99'))).toMatchObject({ outcome: 'notSent' })
    await expect(suite.connection.live()).rejects.toThrow(TelephonyError)
    await own.start()
    await suite.events.until(({ type }: DialerEvent) => type === 'restored')

    expect(await suite.connection.live()).toEqual([])
    const record = await suite.connection.readRecord(before)
    expect(record.upSince).toBeGreaterThan(upSince)
    expect(record.channels.get(ended)).toMatchObject({ cause: 16, endedByFarEnd: true })
    expect(record.channels.get(customer)).toMatchObject({ answeredAt: expect.any(Number), endedAt: null })
    expect(record.channels.get(customer)?.startedAt).toBeLessThan(record.upSince)
    expect(await suite.connection.storedRecordings()).toEqual([`${customer}-r`])
    const { header, bytes } = await sizeOf(suite, `${customer}-r`)
    expect(header).toBe(bytes)
    expect(await suite.connection.deleteRecording(`${customer}-r`)).toBe('done')

    await suite.connection.setTrunks(trunks)
    const again = await suite.answeredCall('47')
    expect(await suite.events.next('hungUp', again)).toMatchObject({ endedBy: 'callee' })
  } finally {
    await suite.connection.close()
    await suite.fixture.close()
    await own.remove()
  }
})

test('the record is trimmed one file at a time, and forgets only what is settled', async () => {
  const own = await ownDialer()
  const suite = await openBench('ghanti', own.dialer)
  const call = async () => {
    const channelId = await suite.answeredCall('47')
    await suite.events.next('hungUp', channelId)
    return channelId
  }
  const recorded = async () => [...(await suite.connection.readRecord(0)).channels.keys()]
  try {
    const first = await call()
    const alive = await suite.answeredCall('99', { talkMsMax: 60_000 })
    const { startedAt } = (await suite.connection.readRecord(0)).channels.get(alive) ?? { startedAt: 0 }
    await suite.connection.trimRecord(startedAt)
    await suite.connection.trimRecord(startedAt)
    await suite.connection.trimRecord(startedAt)
    expect(await recorded()).toEqual(expect.arrayContaining([first, alive]))
    await suite.connection.hangUp(alive)
    await suite.events.next('hungUp', alive)
    const later = Date.now() + 3_600_000
    await suite.connection.trimRecord(later)
    const second = await call()
    await suite.connection.trimRecord(later)
    expect(await recorded()).toEqual([second])
  } finally {
    await suite.connection.close()
    await suite.fixture.close()
    await own.remove()
  }
})

test('a dialer with another dialplan is refused in words, because answered calls would not reach us', async () => {
  const own = await ownDialer()
  const beside = new AriHttp({ ...asteriskDialer('/nowhere'), ...own.dialer })
  try {
    const query = { variable: 'GHANTI_DIALPLAN', value: '' }
    await beside.ari('POST', '/asterisk/variable', { query })
    await expect(openBench('ghanti', own.dialer)).rejects.toThrow(/its dialplan is not that of this version/)
  } finally {
    beside.cut()
    await own.remove()
  }
})

test('a dialer that keeps no record of its calls is refused in words, and accepted once it does', async () => {
  const own = await ownDialer()
  const folder = join(own.recordings, 'witness')
  try {
    rmSync(folder, { recursive: true })
    await expect(openBench('ghanti', own.dialer)).rejects.toThrow(/it keeps no record of its calls/)
    mkdirSync(folder)
    const suite = await openBench('ghanti', own.dialer)
    await suite.connection.close()
    await suite.fixture.close()
  } finally {
    await own.remove()
  }
})
