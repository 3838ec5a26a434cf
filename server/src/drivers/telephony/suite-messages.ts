import { expect, test } from 'vitest'
import { polling } from '../../testing/timeouts.ts'
import type { SipMessage } from './driver.ts'
import type { Suite } from './suite-bench.ts'

/** '> INVITE', '< 180', … */
const shortOf = ({ sent, text }: SipMessage): string =>
  `${sent ? '>' : '<'} ${text.startsWith('SIP/2.0 ') ? text.slice(8, 11) : text.slice(0, text.indexOf(' '))}`

export function messages(suite: Suite): void {
  const ladders = async (channelIds: readonly string[]) => {
    const found = new Map<string, SipMessage[]>()
    const missing = () => channelIds.filter((channelId) => !found.has(channelId))
    const look = async () => {
      for (const trace of await suite.connection.takeTraces(missing())) found.set(trace.channelId, trace.messages)
      return missing()
    }
    await expect.poll(look, polling).toEqual([])
    return channelIds.map((channelId) => found.get(channelId) ?? [])
  }

  test('the SIP messages of ended channels are returned once, in order, with their senders', async () => {
    const busy = await suite.call('01')
    const left = await suite.call('47')
    const cut = await suite.call('02', { ringMs: 2000 })
    const ends = []
    for (const channelId of [busy, left, cut]) ends.push(await suite.events.next('hungUp', channelId))
    await new Promise((resolve) => setTimeout(resolve, 1000)) // the last messages come after the end
    const [ofBusy = [], ofLeft = [], ofCut = []] = await ladders([busy, left, cut])
    expect(ofBusy.map(shortOf)).toEqual(['> INVITE', '< 100', '< 486', '> ACK'])
    const story = ofLeft.map(shortOf)
    expect([...story.slice(0, 2), ...story.slice(-2)]).toEqual(['> INVITE', '< 100', '< BYE', '> 200'])
    expect(story).toEqual(expect.arrayContaining(['< 200', '> ACK']))
    expect(ofCut.map(shortOf).slice(0, 4)).toEqual(['> INVITE', '< 100', '< 180', '> CANCEL'])
    expect(ofCut.map(shortOf)).toEqual(expect.arrayContaining(['< 487']))
    for (const [index, ladder] of [ofBusy, ofLeft, ofCut].entries()) {
      const end = ends[index]
      expect(Math.abs((ladder[0]?.at ?? 0) - (end?.startedAt ?? 0))).toBeLessThan(500)
      expect(ladder.map(({ at }) => at)).toEqual(ladder.map(({ at }) => at).toSorted((one, other) => one - other))
      for (const { dialer, peer, text } of ladder) {
        expect([dialer, peer]).toEqual([expect.stringMatching(/^[\d.]+:\d+$/), expect.stringMatching(/^[\d.]+:\d+$/)])
        expect(text).toContain('\r\n\r\n')
      }
    }
    expect(await suite.connection.takeTraces([busy])).toEqual([])
  })

  test('quality of an answered call’s sound is reported while it lasts', async () => {
    const channelId = await suite.answeredCall('33', { talkMsMax: 60_000 })
    const packets = async () => (await suite.connection.rtpOf(channelId))?.received.packets ?? 0
    await expect.poll(packets, polling).toBeGreaterThan(50)
    const figures = await suite.connection.rtpOf(channelId)
    expect(figures?.received.lost).toBeLessThan(figures?.received.packets ?? 0)
    expect(figures?.received.jitterMs).toBeLessThan(1000)
    await suite.connection.hangUp(channelId)
    await suite.events.next('hungUp', channelId)
    expect(await suite.connection.rtpOf(channelId)).toBeNull()
  })
}
