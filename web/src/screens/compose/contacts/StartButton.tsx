import { Button } from '@mantine/core'
import type { BaseUpload } from './base-upload.ts'
import type { FormOfCompose } from '../form.ts'

export type WayProps = { form: FormOfCompose; upload: BaseUpload }

export function StartButton({ upload, label }: { upload: BaseUpload; label: string }) {
  if (upload.progress !== null) return null
  return (
    <div>
      <Button variant="default" onClick={() => void upload.start()}>
        {label}
      </Button>
    </div>
  )
}
