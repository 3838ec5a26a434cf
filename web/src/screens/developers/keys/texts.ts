import { texts as en } from '../../../i18n/en/keys.ts'
import { currentLanguage, useLanguage } from '../../../i18n/language.ts'
import { texts as ne } from '../../../i18n/ne/keys.ts'

/** Both languages load with the list of keys: as an area of texts, they would be named on every page. */
const texts = { en, ne }

export type KeyTexts = typeof en
export const keyTexts = (): KeyTexts => texts[currentLanguage()]
export const useKeyTexts = (): KeyTexts => texts[useLanguage()]
