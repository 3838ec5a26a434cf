import { contractRoutes } from '@ghanti/contract/contracts.ts'
import { useQuery } from '@tanstack/react-query'
import { listQuery } from '../../api/query.ts'
import type { Form } from '../../components/form/field.ts'
import { SelectField } from '../../components/form/select/SelectField.tsx'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { useTexts } from '../../i18n/language.ts'
import type { TrunkValues } from './trunk-form.ts'

export function ContractPicker({ form }: { form: Form<TrunkValues> }) {
  const { fields, hints, noContract } = useTexts('trunkForms')
  const contracts = useQuery(listQuery(contractRoutes.list, {}, { pageSize: 1000, sort: 'contractName' }))
  return (
    <SelectField
      form={form}
      name="contractId"
      label={fields.contractId}
      description={hints.contractId}
      searchable
      clearable
      data={contracts.data?.rows.map(({ contractId, contractName }) => ({
        value: String(contractId),
        label: contractName,
      }))}
      emptyText={noContract}
      loadError={contracts.error && !contracts.data ? failureTexts(contracts.error).message : undefined}
    />
  )
}
