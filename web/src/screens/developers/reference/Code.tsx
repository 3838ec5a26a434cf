import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useRef } from 'react'
import { useCopy } from '../../../components/ui/use-copy.ts'
import { useDeveloperTexts } from '../texts.ts'
import classes from './Reference.module.css'

/** Program text with a button that copies it. `label`: what it does. */
export function Code({ label, text, copies = true }: { label: string; text: string; copies?: boolean }) {
  const t = useDeveloperTexts().reference
  const shown = useRef<HTMLPreElement>(null)
  const { copied, copy } = useCopy(text, shown)
  return (
    <div className={classes.code}>
      <pre ref={shown} tabIndex={0} role="region" aria-label={label} translate="no" dir="ltr">
        {text}
      </pre>
      {copies && (
        <Button
          variant="default"
          size="compact-sm"
          className={classes.copy ?? ''}
          aria-label={t.copyWhat(label)}
          leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          onClick={() => void copy()}
        >
          {t.copy}
        </Button>
      )}
      <span role="status" className={classes.status}>
        {copied === null ? '' : copied ? t.copied : t.notCopied}
      </span>
    </div>
  )
}
