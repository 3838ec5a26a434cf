import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../api/session.ts'
import { SelectField } from '../../components/form/SelectField.tsx'
import { TextField } from '../../components/form/TextField.tsx'
import { failureTexts } from '../../components/ui/failure-texts.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Compose.module.css'
import type { FormOfCompose } from './form.ts'
import { clisQuery } from './queries.ts'

export function CampaignFields({ form }: { form: FormOfCompose }) {
  const t = useTexts('compose')
  const { form: texts } = useTexts('common')
  const format = useFormat()
  const clis = useQuery(clisQuery(useSession().userId))
  return (
    <div className={classes.pair}>
      <TextField form={form} name="campaignName" label={t.campaignName} required maxLength={100} autoComplete="off" />
      <SelectField
        form={form}
        name="cli"
        label={t.cli}
        required
        data={clis.data?.rows.map(({ cli, cliStatus }) => ({
          value: cli,
          label: cliStatus === 1 ? format.phone(cli) : `${format.phone(cli)} (${t.cliInactive})`,
          disabled: cliStatus !== 1,
        }))}
        emptyText={texts.noIdFound}
        loadError={clis.error && !clis.data ? failureTexts(clis.error).message : undefined}
      />
    </div>
  )
}
