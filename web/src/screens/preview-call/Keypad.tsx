import { useTexts } from '../../i18n/language.ts'
import classes from './PreviewCall.module.css'

export const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#']

/** Without `onPress` nobody listens. */
export function Keypad({ onPress }: { onPress: ((key: string) => void) | undefined }) {
  const t = useTexts('previewCall')
  return (
    <div className={classes.keypad} role="group" aria-label={t.keypad}>
      {keys.map((key) => (
        <button key={key} type="button" translate="no" disabled={onPress === undefined} onClick={() => onPress?.(key)}>
          {key}
        </button>
      ))}
    </div>
  )
}
