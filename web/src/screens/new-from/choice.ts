import type { CampaignAnswers } from '@ghanti/contract/answers.ts'
import type { baseFromRoutes, RowEnd } from '@ghanti/contract/base-from.ts'
import { unreachedEnds } from '@ghanti/contract/base-from.ts'
import type { callKeys } from '@ghanti/contract/call-report.ts'
import type { KeyLabels } from '@ghanti/contract/key-names.ts'
import { ownValue } from '@ghanti/contract/own-values.ts'
import { nameMax } from '@ghanti/contract/values.ts'
import { plainNumber } from '@ghanti/contract/written-number.ts'
import type { SentOf } from '../../api/client.ts'
import type { TextsOf } from '../../i18n/areas.ts'

export type Source = { campaignId: number; campaignName: string }

export const ways = ['unreached', 'keys', 'short', 'everybody'] as const
type Way = (typeof ways)[number]

/** Fields of ways not chosen keep their values. */
export type NewFromForm = {
  way: Way
  ends: RowEnd[]
  keys: (typeof callKeys)[number][]
  seconds: string
  other: string | null
  /** Empty: named after campaign and choice. */
  baseName: string
}

export const blankChoice: NewFromForm = {
  way: 'unreached',
  ends: [...unreachedEnds],
  keys: [],
  seconds: '5',
  other: null,
  baseName: '',
}

export function problemsOf({
  way,
  ends,
  keys,
  seconds,
  other,
}: NewFromForm): Partial<Record<keyof NewFromForm, string>> {
  return {
    ...(way === 'unreached' && ends.length === 0 && { ends: 'is required' }),
    ...(way === 'keys' && keys.length === 0 && { keys: 'is required' }),
    ...(way === 'short' &&
      !/^\d+$/.test(plainNumber(seconds.trim())) && { seconds: 'must be a whole number from 1 to 3600' }),
    ...(way === 'everybody' && other === null && { other: 'is required' }),
  }
}

type Body = SentOf<typeof baseFromRoutes.make>

export function bodyOf({ way, ends, keys, seconds, other }: NewFromForm, campaignId: number, baseName: string): Body {
  return {
    campaignId,
    baseName,
    ...(way === 'unreached' && { dispositions: ends }),
    ...(way === 'keys' && { keys }),
    ...(way === 'short' && { maxSeconds: Number(plainNumber(seconds.trim())) }),
    ...(other !== null && { notInCampaignId: Number(other) }),
  }
}

/** The names that the campaign gave its keys. */
export function namesOfKeys(menus: CampaignAnswers['menus']): KeyLabels {
  const named = menus.flatMap(({ keys }) =>
    keys.flatMap(({ key, label }) => (label === null ? [] : [[key, label] as const])),
  )
  return Object.fromEntries(named)
}

/** Longer names of keys would leave nothing of the campaign's, so the keys themselves stand there. */
const keyNamesMax = 60

/** 'Dashain: not reached', with a number if a file has that name; cut to the permitted length. */
export function nameOf(
  { way, keys, seconds }: Pick<NewFromForm, 'way' | 'keys' | 'seconds'>,
  campaignName: string,
  taken: readonly string[],
  keyLabels: KeyLabels,
  { names }: TextsOf<'newFrom'>,
): string {
  const called = keys.map((key) => ownValue(keyLabels, key) ?? key).join(', ')
  const said = {
    unreached: names.unreached,
    keys: names.keys(called.length > keyNamesMax ? keys.join(', ') : called),
    short: names.short(seconds.trim()),
    everybody: names.everybody,
  }[way]
  const lower = new Set(taken.map((name) => name.toLowerCase()))
  const named = (end: string) =>
    `${[...campaignName]
      .slice(0, nameMax - end.length)
      .join('')
      .trim()}${end}`.slice(0, nameMax)
  for (let n = 1; ; n++) {
    const name = named(`: ${said}${n === 1 ? '' : ` ${n}`}`)
    if (!lower.has(name.toLowerCase())) return name
  }
}
