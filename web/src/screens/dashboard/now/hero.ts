import type { CampaignAnswers } from '@ghanti/contract/answers.ts'
import type { CallsNow } from '@ghanti/contract/overview.ts'
import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import type { TextsOf } from '../../../i18n/areas.ts'

/** People who were called at least once and are not in a call now. */
export function calledOf({ numbersProcessed, pending }: Pick<CampaignRow, 'numbersProcessed' | 'pending'>): number {
  return numbersProcessed + pending.waiting
}

/** In whole per cents; null while nobody was called. */
export function answeredShare(answered: number, called: number): number | null {
  return called === 0 ? null : Math.min(100, Math.round((100 * answered) / called))
}

/** Who answered. The bar counts calls, so where people were called again it says how many there were. */
export function saidOf(
  { answered, called, outcomes }: Pick<CallsNow, 'answered' | 'called' | 'outcomes'>,
  t: TextsOf<'overview'>['now'],
  count: (value: number) => string,
): string {
  if (called === 0) return t.nobodyCalled
  const calls = Object.values(outcomes).reduce((sum, of) => sum + of, 0)
  return t.answered(count(answered), count(called), calls > called ? count(calls) : null)
}

type Menu = CampaignAnswers['menus'][number]

const pressedIn = ({ keys }: Menu): number => keys.reduce((sum, { count }) => sum + count, 0)

/** The menu that most pressed a key in, the first of equals. Undefined where nobody did. */
export function menuShown(menus: readonly Menu[]): Menu | undefined {
  const pressed = menus.filter((menu) => pressedIn(menu) > 0)
  return pressed.reduce<Menu | undefined>(
    (most, menu) => (most && pressedIn(most) >= pressedIn(menu) ? most : menu),
    undefined,
  )
}
