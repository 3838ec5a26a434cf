import { partName, type Flow } from '@ghanti/callflow/flow.ts'
import { callPatch } from '@ghanti/callflow/templates/call-patch.ts'
import { dtmfInput } from '@ghanti/callflow/templates/dtmf-input.ts'
import { fullInput } from '@ghanti/callflow/testing.ts'
import { expect, test } from 'vitest'
import { partOf, type Said } from './heard-call.ts'
import { LiveCall } from './live-call.ts'

/** A call whose time passes only by `pass`. */
function callIn(flow: Flow) {
  let nowMs = 0
  const due: { at: number; run: () => void }[] = []
  const sounding = new Set<object>()
  const call = new LiveCall(flow, {
    now: () => nowMs,
    after: (ms, run) => {
      const timer = { at: nowMs + ms, run }
      due.push(timer)
      return () => void (due.includes(timer) && due.splice(due.indexOf(timer), 1))
    },
    play: (parts) => {
      const sound = {}
      sounding.add(sound)
      return { durationsMs: parts.map(({ durationMs }) => durationMs), stop: () => sounding.delete(sound) }
    },
  })
  const pass = (ms: number) => {
    const until = nowMs + ms
    for (;;) {
      const next = due.toSorted((a, b) => a.at - b.at)[0]
      if (!next || next.at > until) break
      due.splice(due.indexOf(next), 1)
      nowMs = next.at
      next.run()
    }
    nowMs = until
  }
  const transcript = () => call.heard().lines.map(({ atMs, said }) => `${atMs} ${wordsOf(said)}`)
  const now = () => {
    const part = partOf(call.heard())
    return part && partName(part)
  }
  return { call, pass, transcript, now, idle: () => due.length === 0 && sounding.size === 0 }
}

function wordsOf(said: Said): string {
  if (said.kind === 'part') return partName(said.part)
  if (said.kind === 'key') return `${said.digit} ${said.valid ? 'accepted' : 'wrong'}`
  if (said.kind === 'over') return `over by ${said.by}`
  return said.kind
}

const menu = dtmfInput.build(fullInput) // welcome 2 s, menu 5 s, wait 4 s, no input 1.5 s, wrong input 1.7 s, thanks 0.9 s; the menu repeats once

test('parts follow each other without a gap, waits last as long as on the telephone, and the call ends by itself', () => {
  const { call, pass, transcript, now, idle } = callIn(menu)
  call.start()
  expect(now()).toBe('welcome')
  pass(2000)
  expect(now()).toBe('menu')
  pass(5000)
  expect(call.heard()).toMatchObject({ playing: null, waiting: { ms: 4000 } })
  pass(60_000)
  expect(transcript()).toEqual([
    '0 answered',
    '0 welcome',
    '2000 menu',
    '7000 wait',
    '11000 silence',
    '11000 noInput',
    '12500 menu',
    '17500 wait',
    '21500 silence',
    '21500 thanks',
    '22400 over by flow',
  ])
  expect(idle()).toBe(true)
})

test('a key counts during the prompt and stops it; during the closing prompts keys are ignored', () => {
  const { call, pass, transcript } = callIn(menu)
  call.start()
  pass(3000)
  call.press('9')
  pass(1000)
  call.press('2')
  pass(100)
  call.press('1')
  pass(60_000)
  expect(transcript()).toEqual([
    '0 answered',
    '0 welcome',
    '2000 menu',
    '3000 9 wrong',
    '3000 wrongInput',
    '4000 2 accepted',
    '4000 thanks',
    '4100 unheardKey',
    '4900 over by flow',
  ])
})

test('an agent who does not answer rings for 25 s; one who does talks until somebody hangs up', () => {
  const patch = callPatch.build(fullInput)
  const first = callIn(patch)
  first.call.start()
  first.call.press('1')
  expect(first.call.heard().ringing).toMatchObject({ number: '+9779801111133', ms: 25_000 })
  first.pass(25_000)
  expect(first.transcript().slice(-2)).toEqual(['25000 agentFailed', '25000 noInput'])
  first.call.press('2')
  first.call.agentAnswers()
  first.pass(100_000)
  expect(first.call.heard().call.at).toBe('talking')
  first.call.agentHangsUp()
  expect(first.now()).toBe('thanks')
})

test('after hanging up nothing sounds and nothing happens; a new call begins from the start', () => {
  const { call, pass, transcript, idle } = callIn(menu)
  call.start()
  pass(2500)
  call.hangUp()
  expect(idle()).toBe(true)
  call.hangUp()
  call.press('1')
  expect(transcript()).toEqual(['0 answered', '0 welcome', '2000 menu', '2500 over by you'])
  call.start()
  pass(7100)
  expect(transcript()).toEqual(['0 answered', '0 welcome', '2000 menu', '7000 wait'])
  call.start()
  expect(transcript()).toEqual(['0 answered', '0 welcome'])
  call.hangUp()
  expect(idle()).toBe(true)
})
