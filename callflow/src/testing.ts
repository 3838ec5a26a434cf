import { type CallCommand, type CallEvent, type CallState, start, step } from './call.ts'
import { consultancyKeys, promptTypes } from '@ghanti/contract/templates.ts'
import type { Flow, PromptPart } from './flow.ts'
import type { FlowInput } from './template.ts'

/** A prompt whose hash is also its name. Ids and lengths differ, so that a mix-up shows. */
export function prompt(hash: string, durationMs = 1000): PromptPart {
  return { kind: 'prompt', promptId: hash.length, durationMs, hash }
}

export const fullInput: FlowInput = {
  prompts: {
    welcome: prompt('welcome', 2000),
    menu: prompt('menu', 5000),
    noInput: prompt('noInput', 1500),
    wrongInput: prompt('wrongInput', 1700),
    thanks: prompt('thanks', 900),
    ...Object.fromEntries(promptTypes.map((name) => [name, prompt(name)])),
  },
  keys: ['1', '2', '*'],
  menuKeys: consultancyKeys,
  menuWaitSeconds: 4,
  rePrompts: 1,
  agents: [
    { number: '+9779801111133', key: '1' },
    { number: '+9779801111137', key: '2' },
  ],
  speech: { language: 'ne', calendar: 'bs' },
}

/** A command in few words: 'play welcome+menu', 'key 9 wrong', 'wait 4000'. */
export function say(command: CallCommand): string {
  switch (command.type) {
    case 'play':
      return `play ${command.parts.map((part) => (part.kind === 'spoken' ? part.type : part.hash)).join('+')}`
    case 'wait':
      return `wait ${command.ms}`
    case 'bridgeAgent':
      return `bridge ${command.number} ${command.ringMs}${command.afterMs > 0 ? ` after ${command.afterMs}` : ''}`
    case 'recordKey':
      return `key ${command.digit} of ${command.menu} ${command.valid ? 'valid' : 'wrong'}`
    case 'stopPlayback':
    case 'cancelWait':
    case 'record':
    case 'hangUpAgent':
    case 'hangUp':
      return command.type
  }
}

/** What happens to a person: 'answers', 'hangs up', 'listens' (prompt ends), 'is silent' (wait ends), a key, or what the agent does. */
export type Deed =
  | 'answers'
  | 'hangs up'
  | 'listens'
  | 'is silent'
  | 'agent answers'
  | 'agent not reached'
  | `agent ${string} is busy`
  | 'agent hangs up'
  | `presses ${string}`

export function eventOf(deed: Deed, at: CallState): CallEvent {
  switch (deed) {
    case 'answers':
      return { type: 'answered' }
    case 'hangs up':
      return { type: 'hungUp' }
    case 'listens':
      return { type: 'promptEnded', step: at.step }
    case 'is silent':
      return { type: 'waitEnded', step: at.step }
    case 'agent answers':
      return { type: 'agentAnswered', step: at.step }
    case 'agent not reached':
      return { type: 'agentFailed', step: at.step, reason: 'no answer' }
    case 'agent hangs up':
      return { type: 'agentHungUp', step: at.step }
    default: {
      const [, busy] = /^agent (\S+) is busy$/.exec(deed) ?? []
      if (busy !== undefined) return { type: 'agentBusy', step: at.step, number: busy }
      return { type: 'digit', digit: deed.replace('presses ', '') }
    }
  }
}

/** Runs a call and returns its transcript: the commands after each event, and the state of the call. */
export function run(flow: Flow, deeds: readonly Deed[]): { transcript: string[]; state: CallState } {
  let state = start()
  const transcript: string[] = []
  for (const deed of deeds) {
    const next = step(flow, state, eventOf(deed, state))
    state = next.state
    transcript.push(`${deed}: ${next.commands.map(say).join(', ')}`)
  }
  return { transcript, state }
}
