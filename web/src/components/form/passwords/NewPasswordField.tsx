import type { NamesAtHand } from '@ghanti/contract/passwords.ts'
import { passwordMin } from '@ghanti/contract/values.ts'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { TextsOf } from '../../../i18n/areas.ts'
import { loadTexts, useTexts } from '../../../i18n/language.ts'
import type { FieldProps } from '../field.ts'
import classes from './NewPasswordField.module.css'
import { PasswordField } from './PasswordField.tsx'
import type { strengthOf, Strength } from './password-strength.ts'

type NewPasswordFieldProps<Values> = FieldProps<Values> & {
  autoFocus?: boolean
  isShown?: boolean
  /** Publicly known names of the account, as far as the form has them. */
  names: () => NamesAtHand
}

/** A new password with a strength meter. The meter only advises: the server decides. */
export function NewPasswordField<Values>({ names, ...props }: NewPasswordFieldProps<Values>) {
  const [typed, setTyped] = useState('')
  return (
    <div onInput={({ target }) => setTyped(target instanceof HTMLInputElement ? target.value : '')}>
      <PasswordField {...props} autoComplete="new-password" />
      {typed !== '' && <Meter password={typed} names={names} />}
    </div>
  )
}

type StrengthOf = typeof strengthOf

/** Empty until loaded, or when it cannot be: the form works without it. */
function Meter(props: { password: string; names: () => NamesAtHand }) {
  const [strengthOf, setStrengthOf] = useState<StrengthOf>()
  useEffect(() => {
    Promise.all([import('./password-strength.ts'), loadTexts('passwords')]).then(
      ([{ strengthOf: loaded }]) => setStrengthOf(() => loaded),
      () => {},
    )
  }, [])
  return strengthOf ? <Strength {...props} strengthOf={strengthOf} /> : null
}

const levels = 4

function Strength({
  password,
  names,
  strengthOf,
}: {
  password: string
  names: () => NamesAtHand
  strengthOf: StrengthOf
}) {
  const t = useTexts('passwords')
  const typed = useDeferredValue(password)
  const strength = useMemo(() => strengthOf(typed, names()), [strengthOf, typed, names])
  const isShort = typed.length < passwordMin
  const level = isShort || strength.fault ? 1 : Math.min(levels, Math.max(2, strength.score))
  const said = isShort ? t.short : wordsOf(strength, t)
  return (
    <div className={classes.strength} data-level={level}>
      <div
        role="meter"
        aria-label={t.strength}
        aria-valuemin={0}
        aria-valuemax={levels}
        aria-valuenow={level}
        aria-valuetext={said}
        className={classes.bars}
      >
        {Array.from({ length: levels }, (_, bar) => (
          <span key={bar} data-on={bar < level} />
        ))}
      </div>
      <p aria-live="polite" className={classes.said}>
        {said}
      </p>
    </div>
  )
}

function wordsOf({ fault, score }: Strength, t: TextsOf<'passwords'>): string {
  if (fault) return t[fault]
  if (score >= levels) return t.strong
  return score === levels - 1 ? t.good : t.fair
}
