import { texts as en } from '../../../i18n/en/hooks.ts'
import { currentLanguage, useLanguage } from '../../../i18n/language.ts'
import { texts as ne } from '../../../i18n/ne/hooks.ts'

/** Both languages load with the list of webhooks, as those of keys do. */
const texts = { en, ne }

type HookTexts = typeof en
export const hookTexts = (): HookTexts => texts[currentLanguage()]
export const useHookTexts = (): HookTexts => texts[useLanguage()]
