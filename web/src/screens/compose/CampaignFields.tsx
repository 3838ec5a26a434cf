import { Suspense } from 'react'
import layout from '../../components/form/Form.module.css'
import { TextField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'
import classes from './Compose.module.css'
import type { FormOfCompose } from './form.ts'
import { late } from '../../components/ui/loading/late.tsx'

const CliPicker = late(() => import('./CliPicker.tsx'))

export function CampaignFields({ form }: { form: FormOfCompose }) {
  const t = useTexts('compose')
  return (
    <div className={layout.fields}>
      <TextField form={form} name="campaignName" label={t.campaignName} required maxLength={100} autoComplete="off" />
      <Suspense fallback={<div className={classes.picker} aria-busy />}>
        <CliPicker form={form} />
      </Suspense>
    </div>
  )
}
