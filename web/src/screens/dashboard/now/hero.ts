import type { CampaignAnswers } from '@ghanti/contract/answers.ts'
import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'

/** People who were called at least once and are not in a call now. */
export function calledOf({ numbersProcessed, pending }: Pick<CampaignRow, 'numbersProcessed' | 'pending'>): number {
  return numbersProcessed + pending.waiting
}

/** In whole per cents; null while nobody was called. */
export function answeredShare(answered: number, called: number): number | null {
  return called === 0 ? null : Math.min(100, Math.round((100 * answered) / called))
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
