import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../api/session.ts'
import { SelectField } from '../../components/form/select/SelectField.tsx'
import Empty from '../../components/ui/Empty.tsx'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import type { FormOfCompose } from './form.ts'
import { clisQuery } from './queries.ts'

export function CliPicker({ form }: { form: FormOfCompose }) {
  const t = useTexts('compose')
  const { form: texts } = useTexts('common')
  const format = useFormat()
  const clis = useQuery(clisQuery(useSession().userId))
  return (
    <div>
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
      {clis.data?.rows.length === 0 && <Empty drawing="lines" text={t.noCli} />}
    </div>
  )
}
