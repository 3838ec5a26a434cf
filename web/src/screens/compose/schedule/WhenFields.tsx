import { Loader } from '@mantine/core'
import { Suspense } from 'react'
import { CheckboxField } from '../../../components/form/CheckboxField.tsx'
import { late } from '../../../components/ui/loading/late.tsx'
import type { FormOfCompose } from '../form.ts'
import { useWatched } from '../use-watched.ts'

const ScheduleFields = late(() => import('./ScheduleFields.tsx'))

type WhenFieldsProps = { form: FormOfCompose; of: 'calls' | 'messages'; label: string }

/** At once, or at a time. */
export function WhenFields({ form, of, label }: WhenFieldsProps) {
  const scheduled = useWatched(form, 'scheduled')
  return (
    <>
      <CheckboxField form={form} name="scheduled" label={label} />
      {scheduled && (
        <Suspense fallback={<Loader size="sm" />}>
          <ScheduleFields form={form} of={of} />
        </Suspense>
      )}
    </>
  )
}
