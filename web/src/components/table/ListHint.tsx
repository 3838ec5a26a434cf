import { texts as en } from '../../i18n/en/list-hints.ts'
import { useLanguage } from '../../i18n/language.ts'
import { texts as ne } from '../../i18n/ne/list-hints.ts'

/** Both languages load with the first list that leaves rows out. */
const texts = { en, ne }

export default function ListHint({ is, value }: { is: keyof typeof en; value: string }) {
  return <>{texts[useLanguage()][is](value)}</>
}
