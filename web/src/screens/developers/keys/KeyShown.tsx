import { Button } from '@mantine/core'
import { useRef } from 'react'
import layout from '../../../components/form/Form.module.css'
import { useCopy } from '../../../components/ui/use-copy.ts'
import classes from './Keys.module.css'
import type { KeyTexts } from './texts.ts'

/** Shown this one time. */
export function KeyShown({ value, texts: t, close }: { value: string; texts: KeyTexts['shown']; close: () => void }) {
  const key = useRef<HTMLElement>(null)
  const { copied, copy } = useCopy(value, key)
  return (
    <div className={layout.form}>
      <p>{t.hint}</p>
      <code ref={key} className={classes.key} aria-label={t.key} translate="no">
        {value}
      </code>
      <p className={layout.hint}>{t.how}</p>
      <p role="status" className={classes.copied}>
        {copied === null ? '' : copied ? t.copied : t.notCopied}
      </p>
      <div className={layout.buttons}>
        <Button variant="default" onClick={() => void copy()}>
          {t.copy}
        </Button>
        <Button onClick={close}>{t.done}</Button>
      </div>
    </div>
  )
}
