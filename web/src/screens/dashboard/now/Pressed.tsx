import type { CallsNow } from '@ghanti/contract/overview.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { keyText, partText } from '../../voice-campaigns/page/parts.ts'
import { menuShown } from './hero.ts'
import classes from './Hero.module.css'

const keysMost = 5

/** What people pressed, by name, in the menu where most did. */
export function Pressed({ menus }: { menus: CallsNow['menus'] }) {
  const { now: t } = useTexts('overview')
  const answers = useTexts('answers')
  const format = useFormat()
  const menu = menuShown(menus)
  if (!menu) return null
  const most = Math.max(...menu.keys.map(({ count }) => count))
  return (
    <div className={classes.side}>
      <h3>{menus.length > 1 ? t.pressedIn(partText(menu.menu, answers, format)) : t.pressedTitle}</h3>
      <ul className={classes.keys}>
        {menu.keys.slice(0, keysMost).map((key) => (
          <li key={key.key}>
            <kbd translate="no">{format.digits(key.key)}</kbd>
            <span className={classes.meaning}>{keyText(key, answers, format)}</span>
            <b data-numeric>{format.count(key.count)}</b>
            <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden>
              <rect width={(100 * key.count) / most} height="1" />
            </svg>
          </li>
        ))}
      </ul>
    </div>
  )
}
