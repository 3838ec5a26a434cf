import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'

/** How long to wait: in seconds, from a minute and a half on in minutes. */
export function useWait(): (seconds: number) => string {
  const t = useTexts('auth')
  const format = useFormat()
  return (seconds) =>
    seconds < 90 ? t.seconds(format.count(seconds)) : t.minutes(format.count(Math.ceil(seconds / 60)))
}
