import { plainSipOptions, type SipOptions } from '@ghanti/contract/sip-options.ts'
import { expect, test, vi } from 'vitest'
import type { Trunk } from './driver.ts'
import { silentCause } from '../../lib/trunk-limits.ts'
import { polling } from '../../testing/timeouts.ts'
import type { Suite } from './suite-bench.ts'

/** Every setting that plain trunks do not have, as far as the virtual operator can do without it. */
const askedBySome: SipOptions = {
  ...plainSipOptions,
  fromDomain: 'ims.example.np',
  contactUser: 'trunk7',
  identityHeader: 'preferred',
  diversion: '015970009',
  userPhone: true,
  sendsOptions: false,
  dtmf: 'rfc4733',
  rel100: 'off',
  sessionTimers: 'offered',
  sessionSeconds: 600,
}

export function keys(suite: Suite): void {
  test('keys are heard after a prompt, and during it without ending it', async () => {
    const channelId = await suite.answeredCall('32')
    const [one] = suite.fixture.media
    const parts = Math.ceil(2400 / one.durationMs) // spans the first key after 2 s, and ends long before the second one after 3.84 s
    const playbackId = `${channelId}-1`
    await suite.connection.play(
      channelId,
      playbackId,
      Array.from({ length: parts }, () => one),
    )
    const ended = await suite.events.next('playbackEnded', channelId)
    await suite.events.until((event) => event.type === 'digit' && event.channelId === channelId && event.digit === '3')
    await suite.connection.hangUp(channelId)
    const at = (digit: string) =>
      suite.events.recorded.find(
        (event) => event.type === 'digit' && event.channelId === channelId && event.digit === digit,
      )?.at ?? 0
    expect(ended.failed).toBe(false)
    expect(ended.at - (await suite.events.next('answered', channelId)).at).toBeGreaterThan(parts * one.durationMs - 100)
    expect(at('1')).toBeLessThan(ended.at)
    expect(at('2')).toBeGreaterThan(ended.at)
    await suite.events.next('hungUp', channelId)
    expect(suite.events.storyOf(channelId)).toBe('ringing answered 1 2 3 hungUp')
  })
}

export function routes(suite: Suite): void {
  test('a call that one trunk refuses before anything rings is made at once over another, under the next name of its attempt, and the record tells them apart', async () => {
    const { trunk } = suite.fixture
    await suite.connection.setTrunks([trunk, { ...trunk, name: 'other' }])
    const name = `${suite.requestTo('39').channelId}-1-7`
    const [first, next] = [`${name}-c`, `${name}-d1-c`]
    await suite.call('39', { channelId: first })
    const refused = await suite.events.next('hungUp', first)
    expect(refused).toMatchObject({ sipStatus: 500, answeredAt: null, alerted: false })
    await suite.answeredCall('46', { channelId: next, trunk: 'other' })
    expect(await suite.connection.live()).not.toContainEqual(expect.objectContaining({ channelId: first }))
    await suite.connection.hangUp(next)
    const { answeredAt } = await suite.events.next('hungUp', next)
    const { channels } = await suite.connection.readRecord(refused.startedAt - 1000)
    expect(channels.get(first)).toMatchObject({ answeredAt: null, endedByFarEnd: true, cause: 38 })
    expect(channels.get(next)).toMatchObject({ answeredAt, endedByFarEnd: false })
  })
}

export function hosts(suite: Suite): void {
  test('a call that the first host of a trunk refuses is made at the next host under the next name of its attempt, and at no host twice', async () => {
    const { twoHosts } = suite.fixture
    await suite.connection.setTrunks([twoHosts])
    const name = `${suite.requestTo('46').channelId}-1-8`
    const over = (n: number, notHosts: string[]) => ({
      trunk: twoHosts.name,
      channelId: n === 0 ? `${name}-c` : `${name}-d${n}-c`,
      notHosts,
    })
    const first = `${twoHosts.host}:${twoHosts.port}`
    const refused = await suite.events.next('hungUp', await suite.call('06', over(0, [])))
    expect(refused).toMatchObject({ sipStatus: 503, alerted: false, failedHost: first })
    const last = await suite.events.next('hungUp', await suite.call('06', over(1, [first])))
    expect(last).toMatchObject({ sipStatus: 503, alerted: false })
    expect(last.failedHost, 'no other host is left').toBeUndefined()
    const answered = await suite.answeredCall('46', over(2, [first]))
    await suite.connection.hangUp(answered)
    const none = suite.requestTo('46', over(3, [first, ...twoHosts.options.hosts]))
    expect(await suite.connection.dial(none)).toMatchObject({ outcome: 'trunkFault' })
  })

  test('an agent whom the first host of a trunk refuses is reached at the next host, while the customer waits', async () => {
    const { twoHosts } = suite.fixture
    await suite.connection.setTrunks([twoHosts])
    const first = `${twoHosts.host}:${twoHosts.port}`
    const name = `${suite.requestTo('46').channelId}-1-9-c`
    const customer = await suite.answeredCall('46', { trunk: twoHosts.name, channelId: name, notHosts: [first] })
    const leg = { trunk: twoHosts.name, ringBackTo: customer }
    const refused = await suite.events.next('hungUp', await suite.call('06', { ...leg, channelId: `${name}-a1-0-c` }))
    expect(refused).toMatchObject({ sipStatus: 503, alerted: false, failedHost: first })
    const next = { ...leg, channelId: `${name}-a1-0-d1-c`, notHosts: [first] }
    const agent = await suite.answeredCall('46', next)
    expect(await suite.connection.bridge(`${name}-b`, [customer, agent])).toBe('done')
    await suite.connection.hangUp(agent)
    await suite.events.next('hungUp', agent)
    await suite.connection.hangUp(customer)
  })
}

export function silence(suite: Suite): void {
  test('a call to which nothing at all is replied ends after the trunk’s time for that, long before its ring timeout, and the record tells it from one that rang', async () => {
    const { silent } = suite.fixture
    await suite.connection.setTrunks([{ ...silent, options: { ...silent.options, silentSeconds: 2 } }])
    const channelId = await suite.call('46', { trunk: silent.name })
    const end = await suite.events.next('hungUp', channelId)
    expect(end).toMatchObject({ endedBy: 'ringTimeout', alerted: false, answeredAt: null, cause: silentCause })
    expect(end.at - end.startedAt).toBeGreaterThan(1900)
    expect(end.at - end.startedAt).toBeLessThan(6000)
    await vi.waitFor(async () => {
      const { channels } = await suite.connection.readRecord(end.startedAt - 1000)
      expect(channels.get(channelId)).toMatchObject({ answeredAt: null, endedByFarEnd: false, cause: silentCause })
    }, polling)
  })
}

export function lines(suite: Suite): void {
  test('trunks that were set are listed with their state and answer a ping; one that was removed takes no call', async () => {
    const { trunk } = suite.fixture
    const dead = { ...trunk, name: 'dead', port: 9 }
    await suite.connection.setTrunks([trunk, dead])
    expect(await suite.connection.optionsPing(trunk.name)).toMatchObject({ reachable: true })
    const states = await suite.connection.trunkStates()
    expect(states.map(({ name }) => name)).toEqual([trunk.name, 'dead'])
    expect(states[0]).toMatchObject({ reachable: true, registered: null })
    await suite.connection.setTrunks([trunk])
    expect(await suite.connection.dial(suite.requestTo('99', { trunk: 'dead' }))).toMatchObject({
      outcome: 'trunkFault',
    })
    expect(await suite.connection.optionsPing('dead')).toMatchObject({ reachable: false })
    expect((await suite.connection.trunkStates()).map(({ name }) => name)).toEqual([trunk.name])
  })

  test('settings for some operators stop no call, and an operator that is not asked by OPTIONS can still be called', async () => {
    const trunk: Trunk = { ...suite.fixture.trunk, options: askedBySome }
    await suite.connection.setTrunks([trunk])
    const channelId = await suite.answeredCall('12')
    expect(await suite.events.next('digit', channelId)).toMatchObject({ digit: '2' })
    await suite.connection.hangUp(channelId)
    expect((await suite.connection.trunkStates())[0]).toMatchObject({ reachable: null, fault: null })
    expect(await suite.connection.optionsPing(trunk.name)).toEqual({
      reachable: false,
      reason: `trunk ${trunk.name} is not asked by OPTIONS: make a test call`,
    })
  })

  test('a trunk whose first host does not answer carries calls over the next one', async () => {
    const { trunk } = suite.fixture
    const options = { ...plainSipOptions, hosts: [`${trunk.host}:${trunk.port}`] }
    await suite.connection.setTrunks([{ ...trunk, port: 9, options }])
    expect(await suite.connection.optionsPing(trunk.name)).toMatchObject({ reachable: true })
    expect((await suite.connection.trunkStates())[0]).toMatchObject({ reachable: true, fault: null })
    await suite.connection.hangUp(await suite.answeredCall('46'))
  })

  test('changing or removing a trunk drops no call', async () => {
    const { trunk } = suite.fixture
    const channelId = await suite.answeredCall('99', { talkMsMax: 60_000 })
    for (const trunks of [[{ ...trunk, options: askedBySome }], []]) {
      await suite.connection.setTrunks(trunks)
      expect(await suite.connection.play(channelId, `${channelId}-${trunks.length}`, [suite.fixture.media[0]])).toBe(
        'done',
      )
      expect(await suite.events.next('playbackEnded', channelId)).toMatchObject({ failed: false })
      expect(await suite.connection.live()).toContainEqual({ channelId, state: 'up' })
    }
    await suite.connection.hangUp(channelId)
    expect(await suite.events.next('hungUp', channelId)).toMatchObject({ endedBy: 'hangUp' })
  })

  test('a trunk’s own fault becomes its last failure, in words; what a called person does never does', async () => {
    const calls = [await suite.call('38'), await suite.call('01')]
    for (const channelId of calls) await suite.events.next('hungUp', channelId)
    const [state] = await suite.connection.trunkStates()
    expect(state?.lastFailure).toMatchObject({ at: expect.any(Number), reason: expect.stringContaining('488') })
  })

  test('sounds are proved before anybody is called, and a missing one is returned by name', async () => {
    const { media } = suite.fixture
    expect(await suite.connection.prefetch([...media, ...media])).toEqual({ failed: [] })
    const gone = { hash: 'f'.repeat(64), path: '/nowhere/gone', durationMs: 1000 }
    expect(await suite.connection.prefetch([media[0], gone])).toEqual({
      failed: [{ hash: gone.hash, reason: expect.stringMatching(/\w \w/) }],
    })
  })
}
