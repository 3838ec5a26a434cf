import { useLanguage, useTexts } from '../../i18n/language.ts'
import classes from './Welcome.module.css'

const barHeights = [10, 24, 48, 30, 66, 40, 84, 52, 30, 58, 36, 70, 44, 24, 40, 18, 28, 12]
const sound = barHeights.map((height, at) => `M${176 + 16 * at} ${80 - height / 2}v${height}`).join('')

const lines = { en: 'Every call heard, every answer counted.', ne: 'हरेक कल सुनिन्छ, हरेक जवाफ गनिन्छ।' }

/** Beside the form of the sign-in: the bell, whose waves become a sound once, a line in both languages, and what is promised. */
export function Welcome() {
  const { welcome } = useTexts('auth')
  const language = useLanguage()
  const other = language === 'ne' ? 'en' : 'ne'
  return (
    <aside className={classes.welcome}>
      <svg viewBox="0 0 480 160" className={classes.drawing} aria-hidden>
        <g transform="translate(0 8) scale(6)" strokeWidth={0.6}>
          <path d="M12 2.8v1.9M5.2 17.3c1.8-1.7 2.3-3.6 2.3-6.4a4.5 4.5 0 0 1 9 0c0 2.8.5 4.7 2.3 6.4z" />
          <path d="M10.3 20.2a1.9 1.9 0 0 0 3.4 0" />
          <path className={classes.ringing} d="M3.4 7.6a9 9 0 0 1 2.2-3.7M20.6 7.6a9 9 0 0 0-2.2-3.7" />
        </g>
        <path className={classes.sound} d={sound} pathLength={1} strokeWidth={3.6} />
      </svg>
      <p className={classes.line} lang={language}>
        {lines[language]}
      </p>
      <p className={classes.other} lang={other}>
        {lines[other]}
      </p>
      <ul className={classes.promises}>
        {welcome.map((promise) => (
          <li key={promise}>{promise}</li>
        ))}
      </ul>
    </aside>
  )
}
