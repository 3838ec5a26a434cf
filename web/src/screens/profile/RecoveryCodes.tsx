import { Button } from '@mantine/core'
import { useRef } from 'react'
import layout from '../../components/form/Form.module.css'
import { useCopy } from '../../components/ui/use-copy.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Factors.module.css'

/** Shown this one time: to copy, print or save. */
export function RecoveryCodes({ codes, close }: { codes: readonly string[]; close: () => void }) {
  const { shown: t } = useTexts('factors')
  const list = useRef<HTMLOListElement>(null)
  const { copied, copy } = useCopy(codes.join('\n'), list)
  const heading = t.file(location.host)
  return (
    <div className={layout.form}>
      <p>{t.hint}</p>
      <div className={classes.printed}>
        <p className={classes.heading}>{heading}</p>
        <ol ref={list} className={classes.codes} aria-label={t.list} translate="no">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
      </div>
      <p role="status" className={classes.copied}>
        {copied === null ? '' : copied ? t.copied : t.notCopied}
      </p>
      <div className={layout.buttons}>
        <Button variant="default" onClick={() => void copy()}>
          {t.copy}
        </Button>
        <Button variant="default" onClick={() => print()}>
          {t.print}
        </Button>
        <Button variant="default" onClick={() => saveText([heading, '', ...codes, ''].join('\n'))}>
          {t.save}
        </Button>
        <Button onClick={close}>{t.done}</Button>
      </div>
    </div>
  )
}

function saveText(text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.download = 'recovery-codes.txt'
  link.click()
  URL.revokeObjectURL(link.href)
}
