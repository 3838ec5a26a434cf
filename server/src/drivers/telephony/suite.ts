import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ChannelRecord, type HungUp, TelephonyError } from './driver.ts'
import { EventRecorder } from './event-recorder.ts'
import { Suite, type TelephonyFixture } from './suite-bench.ts'
import { hosts, keys, lines, routes, silence } from './suite-lines.ts'
import { messages } from './suite-messages.ts'
import { polling } from '../../testing/timeouts.ts'

/** After an answer, the virtual operator waits this long for our first sound, which never comes without a prompt. */
const answersLateMs = 500
const answered = 'ringing answered'
type Outcome = Pick<HungUp, 'endedBy' | 'sipStatus' | 'cause' | 'alerted'>
const refused = (sipStatus: number, cause: number): Outcome => ({
  endedBy: 'network',
  sipStatus,
  cause,
  alerted: false,
})
const cut: Outcome = { endedBy: 'timeLimit', sipStatus: null, cause: null, alerted: true }
const left: Outcome = { endedBy: 'callee', sipStatus: null, cause: 16, alerted: true }

/** The virtual operator's table: last two digits, what is heard, and how a call ends that may ring for 9 s and last 13 s. */
const numbers: [suffix: string, story: string, outcome: Outcome][] = [
  ['01', '', refused(486, 17)],
  ['02', 'ringing', { endedBy: 'ringTimeout', sipStatus: null, cause: 19, alerted: true }],
  ['03', '', refused(603, 21)],
  ['04', '', refused(404, 1)],
  ['05', '', refused(480, 19)],
  ['06', '', refused(503, 34)],
  ['07', answered, cut],
  ['08', 'progress', { ...refused(486, 17), alerted: true }],
  ['09', answered, left],
  ...[...'0123456789'].map((key): [string, string, Outcome] => [`1${key}`, `${answered} ${key}`, cut]),
  ...[...'0123456789'].map((key): [string, string, Outcome] => [`2${key}`, `${answered} 9 ${key}`, cut]),
  ['30', `${answered} *`, cut],
  ['31', `${answered} #`, cut],
  ['32', `${answered} 1 2 3`, cut],
  ['33', answered, cut],
  ['35', 'progress answered', cut],
  ['37', answered, left],
  ['38', '', refused(488, 58)],
  ['39', '', refused(500, 38)],
  ['40', '', refused(403, 21)],
  ['42', '', refused(408, 18)],
  ['43', '', refused(484, 28)],
  ['45', '', { endedBy: 'ringTimeout', sipStatus: null, cause: 19, alerted: false }],
  ['46', 'answered', { ...cut, alerted: false }],
  ['47', 'answered', { ...left, alerted: false }],
  ['48', answered, left],
  ['49', 'ringing', { ...refused(503, 34), alerted: true }],
  ['99', answered, cut],
]

/** The behaviour that the engine relies on. Every driver must pass it. */
export function telephonySuite(name: string, makeFixture: () => Promise<TelephonyFixture>): void {
  describe(name, () => {
    const suite = new Suite(makeFixture)
    beforeAll(() => suite.open())
    afterAll(() => suite.fixture.close())
    beforeEach(async () => {
      await suite.connect()
      return () => suite.connection.close()
    })
    outcomes(suite)
    prompts(suite)
    keys(suite)
    lines(suite)
    routes(suite)
    hosts(suite)
    silence(suite)
    messages(suite)
    channels(suite)
    guards(suite)
    agents(suite)
    notices(suite)
    farewells(suite)
    witness(suite)
    takeover(suite)
  })
}

function outcomes(suite: Suite): void {
  test('every number of the virtual operator ends as its last two digits say, and the dialer’s record agrees', async () => {
    const since = Date.now()
    const calls = await Promise.all(
      numbers.map(async ([suffix, story, outcome]) => ({
        suffix,
        story,
        outcome,
        channelId: await suite.call(suffix),
      })),
    )
    const ends = await Promise.all(calls.map(({ channelId }) => suite.events.next('hungUp', channelId)))
    const { channels } = await suite.connection.readRecord(since - 1000)
    for (const [index, { suffix, story, outcome, channelId }] of calls.entries()) {
      const end = ends[index]
      expect({ suffix, story: suite.events.storyOf(channelId), ...end }).toMatchObject({
        suffix,
        story: `${story} hungUp`.trim(),
        ...outcome,
      })
      const record = channels.get(channelId)
      expect({ suffix, ...record }).toMatchObject({
        suffix,
        endedByFarEnd: outcome.endedBy === 'callee' || outcome.endedBy === 'network',
      })
      expectSameTimes(record, end)
    }
  })

  test('a call’s length is measured by the dialer: up to its limit, or until the other side hung up', async () => {
    const limited = await suite.call('99', { talkMsMax: 2000 })
    const left = await suite.call('48')
    for (const [channelId, ms, lateMs] of [
      [limited, 2000, 400],
      [left, 5000, 400 + answersLateMs],
    ] as const) {
      const end = await suite.events.next('hungUp', channelId)
      expect(end.at - (end.answeredAt ?? 0)).toBeGreaterThan(ms - 100)
      expect(end.at - (end.answeredAt ?? 0)).toBeLessThan(ms + lateMs)
    }
  })

  test('early media is reported and is no answer: charged time begins with the answer', async () => {
    const [busy, answers] = [await suite.call('08'), await suite.call('35', { talkMsMax: 1000 })]
    const [refused, ended] = [await suite.events.next('hungUp', busy), await suite.events.next('hungUp', answers)]
    expect(refused).toMatchObject({ answeredAt: null, endedBy: 'network', sipStatus: 486, alerted: true })
    const progress = await suite.events.next('progress', answers)
    const answer = await suite.events.next('answered', answers)
    expect(answer.at - progress.at).toBeGreaterThan(2000) // of three seconds, of which a busy machine hears late
    expect(ended.answeredAt).toBe(answer.at)
    const { channels } = await suite.connection.readRecord(refused.startedAt - 1000)
    expect(channels.get(busy)).toMatchObject({ answeredAt: null, cause: 17 })
  })

  test('an endless announcement is ended by the ring timeout', async () => {
    const channelId = await suite.call('35', { ringMs: 2000 })
    const end = await suite.events.next('hungUp', channelId)
    expect(end).toMatchObject({ endedBy: 'ringTimeout', answeredAt: null, sipStatus: null, alerted: true })
  })

  test('a limit can be moved while the call lasts, and counts from the answer', async () => {
    const channelId = await suite.answeredCall('99', { talkMsMax: 5000 })
    expect(await suite.connection.setTalkMax(channelId, 8000)).toBe('done')
    const end = await suite.events.next('hungUp', channelId)
    expect(end.endedBy).toBe('timeLimit')
    expect(end.at - (end.answeredAt ?? 0)).toBeGreaterThan(7900)
    expect(end.at - (end.answeredAt ?? 0)).toBeLessThan(8400)
  })
}

function prompts(suite: Suite): void {
  test('the sounds of a prompt play without a gap, the next prompt follows, and each end is reported', async () => {
    const channelId = await suite.answeredCall('99')
    const [one, other] = suite.fixture.media
    const ended = (playbackId: string) =>
      suite.events.until((event) => event.type === 'playbackEnded' && event.playbackId === playbackId)
    expect(await suite.connection.play(channelId, `${channelId}-1`, [one, other])).toBe('done')
    expect(await suite.connection.play(channelId, `${channelId}-2`, [one])).toBe('done')
    expect(await suite.connection.isPlaying(`${channelId}-2`)).toBe(true)
    const [first, second] = [await ended(`${channelId}-1`), await ended(`${channelId}-2`)]
    await suite.connection.hangUp(channelId)
    expect(first).toMatchObject({ channelId, failed: false })
    expect(await suite.connection.isPlaying(`${channelId}-1`)).toBe(false)
    const answer = await suite.events.next('answered', channelId)
    expect(first.at - answer.at).toBeGreaterThan(one.durationMs + other.durationMs - 100)
    expect(second.at - first.at).toBeGreaterThan(one.durationMs - 100)
    expect(second.at - first.at).toBeLessThan(one.durationMs + 300)
  })

  test('a prompt that is stopped ends at once, and only once', async () => {
    const channelId = await suite.answeredCall('99')
    const [one] = suite.fixture.media
    const playbackId = `${channelId}-1`
    await suite.connection.play(
      channelId,
      playbackId,
      Array.from({ length: 20 }, () => one),
    )
    expect(await suite.connection.stopPlayback(playbackId)).toBe('done')
    const end = await suite.events.next('playbackEnded', channelId)
    expect(end.at - (await suite.events.next('answered', channelId)).at).toBeLessThan(one.durationMs * 20)
    await expect.poll(() => suite.connection.stopPlayback(playbackId), polling).toBe('gone')
    await suite.connection.hangUp(channelId)
  })
}

function channels(suite: Suite): void {
  test('we can hang up while it rings and after the answer; then the channel is gone', async () => {
    const ringing = await suite.call('02')
    await suite.events.next('ringing', ringing)
    const talking = await suite.answeredCall('99')
    for (const channelId of [ringing, talking]) {
      expect(await suite.connection.hangUp(channelId)).toBe('done')
      expect(await suite.events.next('hungUp', channelId)).toMatchObject({ endedBy: 'hangUp', sipStatus: null })
      expect(await suite.connection.hangUp(channelId)).toBe('gone')
      expect(await suite.connection.play(channelId, `${channelId}-9`, suite.fixture.media)).toBe('gone')
      expect(await suite.connection.setTalkMax(channelId, 60_000)).toBe('gone')
    }
    expect((await suite.events.next('hungUp', ringing)).answeredAt).toBeNull()
  })

  test('living channels are listed with their state, ended ones are not', async () => {
    const ringing = await suite.call('02')
    const talking = await suite.answeredCall('99')
    const over = await suite.answeredCall('47')
    await Promise.all([suite.events.next('ringing', ringing), suite.events.next('hungUp', over)])
    const live = await suite.connection.live()
    expect(live).toContainEqual({ channelId: ringing, state: 'ringing' })
    expect(live).toContainEqual({ channelId: talking, state: 'up' })
    expect(live.some(({ channelId }) => channelId === over)).toBe(false)
    await Promise.all([suite.connection.hangUp(ringing), suite.connection.hangUp(talking)])
  })

  test('a living channel’s name is not dialled again', async () => {
    const channelId = await suite.answeredCall('99')
    expect(await suite.connection.dial(suite.requestTo('99', { channelId }))).toEqual({ outcome: 'exists' })
    await suite.connection.hangUp(channelId)
  })
}

function guards(suite: Suite): void {
  test('a trunk that the dialer does not know is refused at once, in words', async () => {
    const reply = await suite.connection.dial(suite.requestTo('99', { trunk: 'nowhere' }))
    expect(reply).toMatchObject({ outcome: 'trunkFault', reason: expect.stringMatching(/\w \w/) })
  })

  test.each(['100', '9841000199', '+14155550100', '+977984100019', '+9779841000199;x=1'])(
    'a number that is not a dialable one in E.164 never leaves: %s',
    async (number) => {
      await expect(suite.connection.dial(suite.requestTo('99', { number }))).rejects.toThrow('dialable')
    },
  )
}

function agents(suite: Suite): void {
  test('a customer and an agent are joined and recorded; the agent leaves, the customer stays', async () => {
    const customer = await suite.answeredCall('99', { talkMsMax: 60_000 })
    const agent = await suite.answeredCall('37', { talkMsMax: 60_000, ringBackTo: customer })
    const bridgeId = `${customer}-b`
    expect(await suite.connection.bridge(bridgeId, [customer, agent])).toBe('done')
    expect(await suite.connection.record(bridgeId, bridgeId)).toBe('done')
    const end = await suite.events.next('hungUp', agent)
    expect(end.endedBy).toBe('callee')
    const recording = await suite.events.next('recordingEnded')
    expect(recording).toMatchObject({ bridgeId, recordingId: bridgeId })
    expect(await suite.connection.live()).toContainEqual({ channelId: customer, state: 'up' })
    await suite.connection.hangUp(customer)
    let bytes = 0
    for await (const piece of await suite.connection.fetchRecording(bridgeId)) bytes += Buffer.from(piece).length
    // A busy machine reports the end up to two seconds late; a missing report would be off by the whole length.
    expect(Math.abs(bytes - 44 - recording.durationMs * 16)).toBeLessThan(32_000)
    expect(await suite.connection.storedRecordings()).toContain(bridgeId)
    expect(await suite.connection.deleteRecording(bridgeId)).toBe('done')
    expect(await suite.connection.storedRecordings()).not.toContain(bridgeId)
    expect(await suite.connection.deleteRecording(bridgeId)).toBe('gone')
    await expect(suite.connection.fetchRecording(bridgeId)).rejects.toThrow(TelephonyError)
  })

  test('a customer who hears the ringing tone while no agent is rung hears the next prompt when the tone ends, or when an agent who was rung meanwhile is busy', async () => {
    const [one] = suite.fixture.media
    const customer = await suite.answeredCall('99', { talkMsMax: 60_000 })
    const hears = async (prompt: string): Promise<void> => {
      expect(await suite.connection.play(customer, `${customer}-${prompt}`, [one])).toBe('done')
      expect(await suite.events.next('playbackEnded', customer)).toMatchObject({ failed: false })
    }
    expect(await suite.connection.ringingTone(customer, true)).toBe('done')
    expect(await suite.connection.ringingTone(customer, true)).toBe('done')
    expect(await suite.connection.ringingTone(customer, false)).toBe('done')
    expect(await suite.connection.ringingTone(customer, false)).toBe('done')
    await hears('1')
    await suite.connection.ringingTone(customer, true)
    const agent = await suite.call('01', { ringBackTo: customer })
    await suite.events.next('hungUp', agent)
    await hears('2')
    await suite.connection.hangUp(customer)
    await suite.events.next('hungUp', customer)
    expect(await suite.connection.ringingTone(customer, true)).toBe('gone')
  })
}

function notices(suite: Suite): void {
  test('both sides of a bridge hear a sound and stay joined; its end is reported, and nobody is cut', async () => {
    const [one] = suite.fixture.media
    const customer = await suite.answeredCall('99', { talkMsMax: 60_000 })
    const agent = await suite.answeredCall('99', { talkMsMax: 60_000, ringBackTo: customer })
    const bridgeId = `${customer}-b`
    await suite.connection.bridge(bridgeId, [customer, agent])
    expect(await suite.connection.playToBridge(bridgeId, `${customer}-n`, [one])).toBe('done')
    expect(await suite.connection.isPlaying(`${customer}-n`)).toBe(true)
    const ended = await suite.events.until((event) => 'bridgeId' in event && event.bridgeId === bridgeId)
    expect(ended).toMatchObject({ type: 'bridgePlaybackEnded', playbackId: `${customer}-n`, failed: false })
    expect(await suite.connection.isPlaying(`${customer}-n`)).toBe(false)
    expect(await suite.connection.record(bridgeId, bridgeId)).toBe('done')
    await suite.connection.hangUp(agent)
    await suite.events.until((event) => event.type === 'recordingEnded' && event.bridgeId === bridgeId)
    expect(await suite.connection.live()).toContainEqual({ channelId: customer, state: 'up' })
    await suite.connection.deleteRecording(bridgeId)
    await suite.connection.hangUp(customer)
    expect(await suite.connection.playToBridge('nowhere-b', 'nowhere-n', [one])).toBe('gone')
  })
}

function farewells(suite: Suite): void {
  test('whoever stays when the other one hangs up hears the next prompt at once, and its end is reported', async () => {
    const [one] = suite.fixture.media
    const talk = async (): Promise<void> => {
      const customer = await suite.answeredCall('99', { talkMsMax: 60_000 })
      const agent = await suite.answeredCall('48', { talkMsMax: 60_000 }) // hangs up after 5 s
      await suite.connection.bridge(`${customer}-b`, [customer, agent])
      await suite.events.next('hungUp', agent)
      expect(await suite.connection.play(customer, `${customer}-1`, [one])).toBe('done')
      expect(await suite.events.next('playbackEnded', customer)).toMatchObject({ failed: false })
      await suite.connection.hangUp(customer)
    }
    await Promise.all(Array.from({ length: 10 }, talk))
  })
}

function witness(suite: Suite): void {
  test('calls continue without the client that dialled them, and the record shows the next one how they ended', async () => {
    const since = Date.now() - 1000
    const [leaves, stays, rings] = [
      await suite.call('09'),
      await suite.answeredCall('99'),
      await suite.call('02', { ringMs: 2000 }),
    ]
    const { upSince } = await suite.connection.readRecord(since)
    await suite.connection.close()
    await suite.connect()
    expect(await suite.connection.live()).toContainEqual({ channelId: stays, state: 'up' })
    const alive = async () => (await suite.connection.live()).map(({ channelId }) => channelId)
    await expect.poll(alive, polling).not.toContain(rings)
    await expect.poll(alive, polling).not.toContain(leaves)
    const { channels, ...record } = await suite.connection.readRecord(since)
    expect(record.upSince).toBe(upSince)
    expect(upSince).toBeLessThan(since + 1000)
    expect(channels.get(stays)).toMatchObject({ answeredAt: expect.any(Number), endedAt: null, cause: null })
    expect(channels.get(leaves)).toMatchObject({ endedByFarEnd: true, cause: 16 })
    expect(channels.get(rings)).toMatchObject({ answeredAt: null, endedByFarEnd: false, cause: 19 })
    expect(channels.has('never-dialled')).toBe(false)
    await suite.connection.hangUp(stays)
  })

  test('the record keeps everything that is not settled', async () => {
    const early = await suite.answeredCall('47')
    await suite.events.next('hungUp', early)
    await suite.connection.trimRecord(0)
    const late = await suite.answeredCall('47')
    await suite.events.next('hungUp', late)
    await suite.connection.trimRecord(0)
    expect([...(await suite.connection.readRecord(0)).channels.keys()]).toEqual(expect.arrayContaining([early, late]))
  })
}

function takeover(suite: Suite): void {
  test('when a second client takes the dialer over, the first is notified and can do nothing more', async () => {
    const channelId = await suite.answeredCall('99')
    const second = await suite.fixture.driver.connect(suite.fixture.dialer)
    const secondEvents = new EventRecorder(second)
    await suite.events.next('replaced')
    expect(await suite.connection.hangUp(channelId)).toBe('lost')
    expect(await suite.connection.dial(suite.requestTo('99'))).toMatchObject({ outcome: 'notSent' })
    await expect(suite.connection.live()).rejects.toThrow(TelephonyError)
    expect(await second.hangUp(channelId)).toBe('done')
    await secondEvents.next('hungUp', channelId)
    expect(suite.events.storyOf(channelId)).toBe('ringing answered')
    await second.close()
  })
}

/** Times of the record and of the events agree within 5 ms. */
function expectSameTimes(record: ChannelRecord | undefined, end: HungUp | undefined): void {
  const near = (one: number | null | undefined, other: number | null | undefined) =>
    expect(Math.abs((one ?? 0) - (other ?? 0))).toBeLessThanOrEqual(5)
  near(record?.answeredAt, end?.answeredAt)
  near(record?.endedAt, end?.at)
}
