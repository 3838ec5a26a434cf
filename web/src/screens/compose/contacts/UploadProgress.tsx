import { Button, Progress } from '@mantine/core'
import '@mantine/core/styles/Progress.css'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import type { BaseUpload } from './base-upload.ts'
import classes from '../Compose.module.css'

export default function UploadProgress({ upload, share }: { upload: BaseUpload; share: number }) {
  const { contacts: t } = useTexts('compose')
  const format = useFormat()
  const percent = Math.round(share * 100)
  const text = share < 1 ? t.uploading(format.count(percent)) : t.reading
  return (
    <div className={classes.progress}>
      <Progress value={percent} aria-label={text} animated={share === 1} />
      <span>{text}</span>
      {share < 1 && (
        <Button variant="default" size="xs" onClick={upload.cancel}>
          {t.cancel}
        </Button>
      )}
    </div>
  )
}
