import type { CampaignAnswers } from '@ghanti/contract/answers.ts'
import type { TextsOf } from '../../../i18n/areas.ts'
import type { Format } from '../../../i18n/format.ts'
import { partNameText } from '@ghanti/contract/part-names.ts'

/** 'menu2' as 'Menu 2', 'menu?' as the silence after it. */
export function partText(place: string, t: TextsOf<'answers'>, format: Format): string {
  if (place.endsWith('?')) return t.silence(partText(place.slice(0, -1), t, format))
  return partNameText(place, t.parts, format.digits)
}

type Key = CampaignAnswers['menus'][number]['keys'][number]

/** What a key does. */
export function meaningText({ meaning, agent }: Key, t: TextsOf<'answers'>, format: Format): string {
  return meaning === 'agent' ? t.meanings.agent(format.phone(agent ?? '')) : t.meanings[meaning]
}

/** What people call a key; without a name, what it does. */
export function keyText(key: Key, t: TextsOf<'answers'>, format: Format): string {
  return key.label ?? meaningText(key, t, format)
}
