import { Suspense } from 'react'
import { wholeNumber } from '../../components/form/field.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { late } from '../../components/ui/loading/late.tsx'
import { useTexts } from '../../i18n/language.ts'
import type { FormOfCompose } from './form.ts'
import { More } from './steps/Step.tsx'
import { composeTemplateOf } from './templates/table.ts'
import { useWatched } from './use-watched.ts'

const MenuTimes = late(() => import('./templates/MenuTimes.tsx'))

/** How long it rings and, of a template that asks for a key, how long it waits and how often it asks again. */
export function MoreFields({ form }: { form: FormOfCompose }) {
  const t = useTexts('compose')
  const template = composeTemplateOf(useWatched(form, 'template'))
  const asksTimes = template?.needs(form.getValues()).includes('menuWait') ?? false
  return (
    <More>
      <TextField
        form={form}
        name="ringSeconds"
        label={t.ringSeconds}
        description={t.ringSecondsHint}
        {...wholeNumber}
      />
      <Suspense fallback={null}>{asksTimes && <MenuTimes form={form} />}</Suspense>
    </More>
  )
}
