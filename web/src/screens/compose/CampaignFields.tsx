import layout from '../../components/form/Form.module.css'
import { TextField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'
import { CliPicker } from './CliPicker.tsx'
import type { FormOfCompose } from './form.ts'

export function CampaignFields({ form }: { form: FormOfCompose }) {
  const t = useTexts('compose')
  return (
    <div className={layout.fields}>
      <TextField form={form} name="campaignName" label={t.campaignName} required maxLength={100} autoComplete="off" />
      <CliPicker form={form} />
    </div>
  )
}
