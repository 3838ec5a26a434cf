import layout from '../../components/form/Form.module.css'
import { lineRoutes } from '@ghanti/contract/lines.ts'
import type { Form } from '../../components/form/field.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import type { AllocateValues } from './AllocateCliScreen.tsx'
import { SearchPicker, type Option } from './SearchPicker.tsx'

type AllocateFieldsProps = {
  form: Form<AllocateValues>
  cli: Option | null
  user: Option | null
  onCli: (cli: Option | null) => void
  onUser: (user: Option | null) => void
}

export default function AllocateFields({ form, cli, user, onCli, onUser }: AllocateFieldsProps) {
  const { allocate: t, fields } = useTexts('clis')
  const { form: words } = useTexts('common')
  const format = useFormat()
  return (
    <div className={layout.fields}>
      <SearchPicker
        form={form}
        name="cliId"
        label={fields.cliId}
        route={lineRoutes.available}
        optionOf={({ cliId, cli: number }) => ({ value: String(cliId), label: format.phone(number) })}
        chosen={cli}
        onChoose={onCli}
        emptyText={words.noIdFound}
      />
      <SearchPicker
        form={form}
        name="userId"
        label={fields.userId}
        route={lineRoutes.takers}
        optionOf={({ userId, username }) => ({ value: String(userId), label: username })}
        chosen={user}
        onChoose={onUser}
        emptyText={t.noAccount}
      />
    </div>
  )
}
