import { Fragment, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { basePath } from '../api/base.ts'
import { sessionQuery } from '../api/session.ts'
import { screenKeys } from '../components/ui/screen-keys.ts'
import { useTexts } from '../i18n/language.ts'
import classes from './KeyList.module.css'
import { additionOf, placesOf } from './key-places.ts'
import { keysAreOn, switchKeys } from './keys.ts'

/** The shortcuts, and a switch to turn them off. In a dialog, so it does not know the session. */
export default function KeyList() {
  const { keys: t } = useTexts('goTo')
  const { menu } = useTexts('common')
  const session = useQuery(sessionQuery)
  const [on, setOn] = useState(keysAreOn)
  if (!session.data) return null
  const { role } = session.data
  const path = window.location.pathname.slice(basePath.length) || '/'
  const has = (selector: string) => document.querySelector(selector) !== null
  const lines: [readonly string[], string][] = [
    [['Ctrl K'], t.find],
    ...(has('main [role=searchbox]') ? [[['/'], t.search] as [string[], string]] : []),
    ...(additionOf(role, path) === null ? [] : [[['n'], t.add] as [string[], string]]),
    ...screenKeys().flatMap(({ letter, label, after = [] }): [string[], string][] => [
      [[letter], label],
      ...after.map((next): [string[], string] => [[letter, next.letter], next.label]),
    ]),
    [['z'], t.undo],
    [['?'], t.show],
    ...placesOf(role).map(({ letter, label }): [string[], string] => [['g', letter], `${t.goTo}: ${menu[label]}`]),
  ]
  return (
    <>
      <p className={classes.hint}>{t.hint}</p>
      <dl className={classes.keys} data-off={!on || undefined}>
        {lines.map(([pressed, what]) => (
          <div key={pressed.join(' ')}>
            <dt>
              {pressed.map((key, index) => (
                <Fragment key={key}>
                  {index > 0 && <span className={classes.then}> {t.followedBy} </span>}
                  <kbd>{key}</kbd>
                </Fragment>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label className={classes.switch}>
        <input
          type="checkbox"
          checked={on}
          onChange={({ currentTarget: { checked } }) => {
            switchKeys(checked)
            setOn(checked)
          }}
        />
        {t.enabled}
      </label>
    </>
  )
}
