import { texts as en } from '../../i18n/en/developers.ts'
import { currentLanguage, useLanguage } from '../../i18n/language.ts'
import { texts as ne } from '../../i18n/ne/developers.ts'

/** Both languages load with the screen: as an area of texts, they would be named on every page. */
const texts = { en, ne }

type DeveloperTexts = typeof en
export const developerTexts = (): DeveloperTexts => texts[currentLanguage()]
export const useDeveloperTexts = (): DeveloperTexts => texts[useLanguage()]
