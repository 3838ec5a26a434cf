import type { FileLook } from '@ghanti/contract/contacts.ts'
import { NativeSelect } from '@mantine/core'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { namesOf, type Choice } from './choice.ts'
import { lettersOf } from './column-names.ts'
import classes from './CheckFile.module.css'

type SaidProps = {
  look: FileLook
  choice: Choice
  rows: number
  good: number
  isOld: boolean
  onChoose: (choice: Choice) => void
}

/** 'Numbers in [मोबाइल नं.]: 53 good, 6 not', with the column as a choice. */
export function Said({ look, choice, rows, good, isOld, onChoose }: SaidProps) {
  const t = useTexts('contactTable')
  const format = useFormat()
  const bad = rows - good
  return (
    <div className={classes.said}>
      <div className={classes.sentence}>
        {t.said.before !== '' && <span aria-hidden>{t.said.before}</span>}
        <NativeSelect
          aria-label={t.said.column}
          data={namesOf(look, choice).map((name, at) => ({
            value: String(at),
            label: name || t.unnamed(lettersOf(at)),
          }))}
          value={String(choice.number ?? '')}
          onChange={({ currentTarget: { value } }) => onChoose({ ...choice, number: Number(value) })}
        />
        <span aria-hidden>{t.said.after}</span>
        <p role="status" className={classes.counts} data-old={isOld || undefined}>
          {isOld ? (
            t.checking
          ) : (
            <>
              <b data-is="good">{t.said.good(format.count(good))}</b>
              {bad > 0 && <b data-is="bad">{t.said.bad(format.count(bad))}</b>}
            </>
          )}
        </p>
      </div>
      <div className={classes.bar} aria-hidden>
        <i style={{ inlineSize: `${rows === 0 ? 0 : (good / rows) * 100}%` }} />
      </div>
      {look.number === null && look.close.length > 1 && (
        <p className={classes.close}>{t.close(look.close.join(', '))}</p>
      )}
    </div>
  )
}
