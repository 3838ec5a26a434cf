import { trunkRoutes } from '@ghanti/contract/trunks.ts'
import { useQuery } from '@tanstack/react-query'
import { listQuery } from '../../api/query.ts'
import type { FieldProps } from '../../components/form/field.ts'
import { SelectField } from '../../components/form/select/SelectField.tsx'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { useTexts } from '../../i18n/language.ts'

type TrunkPickerProps<Values> = Pick<FieldProps<Values>, 'form' | 'name' | 'label' | 'description' | 'required'> & {
  clearable?: boolean
}

export function TrunkPicker<Values>({ clearable = false, ...field }: TrunkPickerProps<Values>) {
  const t = useTexts('clis')
  const trunks = useQuery(listQuery(trunkRoutes.list, {}, { pageSize: 1000, sort: 'trunkName' }))
  return (
    <SelectField
      {...field}
      searchable
      clearable={clearable}
      data={trunks.data?.rows.map(({ trunkName, dialerName }) => ({
        value: trunkName,
        label: t.trunkOf(trunkName, dialerName),
      }))}
      emptyText={t.noTrunkFound}
      loadError={trunks.error && !trunks.data ? failureTexts(trunks.error).message : undefined}
    />
  )
}
