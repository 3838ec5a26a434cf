import { languages, type Language } from '../i18n/areas.ts'
import { setLanguage, useLanguage, useTexts } from '../i18n/language.ts'
import { showFailure } from '../components/ui/dialogs/dialogs.ts'
import classes from './LanguageSwitch.module.css'

const signs: Record<Language, { sign: string; name: string }> = {
  en: { sign: 'EN', name: 'English' },
  ne: { sign: 'ने', name: 'नेपाली' },
}

export function LanguageSwitch() {
  const current = useLanguage()
  const { shell } = useTexts('common')
  return (
    <div role="group" aria-label={shell.language} className={classes.switch}>
      {languages.map((language) => (
        <button
          key={language}
          type="button"
          lang={language}
          title={signs[language].name}
          aria-pressed={language === current}
          className={classes.choice}
          onClick={() => void setLanguage(language).catch(showFailure)}
        >
          {signs[language].sign}
        </button>
      ))}
    </div>
  )
}
