import { Button } from '@mantine/core'
import { useId, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import classes from './Needs.module.css'

export type Need = {
  key: string
  title: ReactNode
  /** The cause and whom to ask, with its button where `act` is absent. */
  text?: ReactNode
  act?: ReactNode
}

const shownFirst = 3

/** What waits for the reader, the most urgent first; nothing where nothing does. */
export function NeedsCard({ needs }: { needs: readonly Need[] }) {
  const { needs: t } = useTexts('overview')
  const format = useFormat()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  if (needs.length === 0) return null
  const shown = isOpen ? needs : needs.slice(0, shownFirst)
  return (
    <section className={classes.card} aria-labelledby={id}>
      <h2 id={id}>{t.title}</h2>
      <ul>
        {shown.map(({ key, title, text, act }) => (
          <li key={key}>
            <div className={classes.said}>
              <strong>{title}</strong>
              {text && <div>{text}</div>}
            </div>
            {act}
          </li>
        ))}
      </ul>
      {shown.length < needs.length && (
        <Button variant="transparent" size="compact-sm" px={0} onClick={() => setOpen(true)}>
          {t.more(format.count(needs.length - shown.length))}
        </Button>
      )}
    </section>
  )
}

/** The button of a line that leads to the screen where it is done. */
export function Go({ to, label, about }: { to: string; label: string; about: string }) {
  return (
    <Button component={Link} to={to} size="compact-sm" variant="default" aria-label={`${label}: ${about}`}>
      {label}
    </Button>
  )
}
