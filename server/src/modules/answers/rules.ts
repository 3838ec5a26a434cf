import { partName, type Flow, type Menu } from '@ghanti/callflow/flow.ts'
import { endings, placesOf } from '@ghanti/callflow/trail.ts'
import type { CampaignAnswers, keyMeanings } from '@ghanti/contract/answers.ts'
import type { KeyLabels } from '@ghanti/contract/key-names.ts'
import { ownValue } from '@ghanti/contract/own-values.ts'
import { partNames, partNameText } from '@ghanti/contract/part-names.ts'
import { nationalOf } from '@ghanti/contract/phone.ts'
import type { CsvCell } from '../../lib/csv.ts'

type MenuAnswers = CampaignAnswers['menus'][number]

/** `tallies`: how often each mark occurs in the trails (callflow/trail.ts). */
export function answersOf(
  flow: Flow,
  answered: number,
  tallies: ReadonlyMap<string, number>,
  keyLabels: KeyLabels = {},
): CampaignAnswers {
  const count = (mark: string): number => tallies.get(mark) ?? 0
  const ends = [...tallies].filter(([mark]) => mark.startsWith('>'))
  return {
    answered,
    known: ends.reduce((sum, [, n]) => sum + n, 0),
    menus: flow.menus.map((menu) => menuAnswers(menu, menu === flow.menus.at(-1), count, keyLabels)),
    places: placesOf(flow).map((place) => ({ place, heard: count(place), left: count(`>${place}`) })),
    completed: count(`>${endings.end}`),
    cut: count(`>${endings.cut}`),
    unknown: count(`>${endings.unknown}`),
  }
}

function menuAnswers(menu: Menu, isLast: boolean, count: (mark: string) => number, keyLabels: KeyLabels): MenuAnswers {
  const keys = menu.keys.map(({ digit, action }) => ({
    key: digit,
    label: ownValue(keyLabels, digit) ?? null,
    meaning: meaningOf(action, isLast),
    agent: action.type === 'agent' ? nationalOf(action.number) : null,
    count: count(`${menu.name}=${digit}`),
  }))
  const others = {
    wrong: count(`${menu.name}=wrong`),
    none: count(`${menu.name}=none`),
    left: count(`${menu.name}=left`),
  }
  const pressed = keys.reduce((sum, key) => sum + key.count, 0)
  return { menu: menu.name, asked: pressed + others.wrong + others.none + others.left, keys, ...others }
}

/** The kind of answer follows from the prompt played next: 'optin1', 'optout1' or 'action1'. */
function meaningOf(action: Menu['keys'][number]['action'], isLast: boolean): (typeof keyMeanings)[number] {
  if (action.type === 'agent') return 'agent'
  if (action.type === 'nextMenu') return isLast ? 'recorded' : 'next'
  const [first] = action.say
  const role = /^([a-z]+)\d*$/.exec(first ? partName(first) : '')?.[1]
  return role === 'optin' || role === 'optout' || role === 'action' ? role : 'recorded'
}

const meaningText: Record<(typeof keyMeanings)[number], string> = {
  recorded: 'Recorded',
  optin: 'Opts in',
  optout: 'Opts out',
  action: 'Asks for the action',
  next: 'Goes on to the next menu',
  agent: 'Calls the agent',
}

/** 'Name' is what the campaign calls the key, and 'Meaning' what the key does. */
export const keysHeader = ['Menu', 'Key', 'Name', 'Meaning', 'Agent', 'Count', 'Share %']

export function* keysLines({ menus }: CampaignAnswers): Generator<CsvCell[]> {
  for (const { menu: name, asked, keys, wrong, none, left } of menus) {
    const menu = placeText(name)
    for (const { key, label, meaning, agent, count } of keys)
      yield [menu, key, label ?? '', meaningText[meaning], agent ?? '', count, percent(count, asked)]
    yield [menu, '', '', 'Wrong keys only', '', wrong, percent(wrong, asked)]
    yield [menu, '', '', 'No key', '', none, percent(none, asked)]
    yield [menu, '', '', 'Hung up before a key', '', left, percent(left, asked)]
  }
}

export const dropOffHeader = ['Part', 'Calls that came so far', 'Hung up there', 'Share of them %']

export function* dropOffLines({ places, completed, cut, unknown }: CampaignAnswers): Generator<CsvCell[]> {
  for (const { place, heard, left } of places) yield [placeText(place), heard, left, percent(left, heard)]
  yield ['Heard to the end', completed, '', '']
  yield ['Ended by us earlier', cut, '', '']
  yield ['End not seen', unknown, '', '']
}

function placeText(place: string): string {
  if (place.endsWith('?')) return `Silence after ${placeText(place.slice(0, -1))}`
  return partNameText(place, { ...partNames, agent: 'The agent’s telephone rings', talk: 'Talk with the agent' })
}

/** One decimal; empty when the whole is 0. */
function percent(part: number, whole: number): CsvCell {
  return whole === 0 ? '' : Math.round((part / whole) * 1000) / 10
}
