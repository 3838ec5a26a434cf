import { lineRoutes } from '@ghanti/contract/lines.ts'
import { useState } from 'react'
import type { Form } from '../../components/form/field.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { useOwnBalance } from '../../components/ui/own-balance.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { SearchPicker, type Option } from '../clis/SearchPicker.tsx'
import type { UserValues } from './user-form.ts'

/** What a new account may get at once: credits of the giver's, and a caller ID. */
export function FirstFields({ form }: { form: Form<UserValues> }) {
  const { fields, freeCredits } = useTexts('users')
  const { form: words } = useTexts('common')
  const format = useFormat()
  const balance = useOwnBalance()
  const [cli, setCli] = useState<Option | null>(null)
  return (
    <>
      <TextField
        form={form}
        name="credits"
        label={fields.credits}
        description={balance ? freeCredits(balance.free) : fields.creditsHint}
        inputMode="decimal"
        maxLength={40}
        autoComplete="off"
      />
      <SearchPicker
        form={form}
        name="clis"
        label={fields.clis}
        description={fields.clisHint}
        route={lineRoutes.available}
        optionOf={({ cliId, cli: number }) => ({ value: String(cliId), label: format.phone(number) })}
        chosen={cli}
        onChoose={(option) => {
          setCli(option)
          form.setFieldValue('cliShown', option?.label ?? '')
        }}
        clearable
        emptyText={words.noIdFound}
      />
    </>
  )
}
