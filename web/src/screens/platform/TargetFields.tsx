import { dialBlockKinds, stoppableOf } from '@ghanti/contract/platform.ts'
import { AccountField } from '../../components/form/AccountField.tsx'
import type { Form } from '../../components/form/field.ts'
import { SelectField } from '../../components/form/select/SelectField.tsx'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { useTexts } from '../../i18n/language.ts'
import { isListed, type Kind, type StopValues, type Targets } from './StopForm.tsx'

type TargetFieldsProps = {
  form: Form<StopValues>
  kind: Kind
  targets: Targets
  onChooseAccount: (username: string) => void
}

export default function TargetFields({ form, kind, targets, onChooseAccount }: TargetFieldsProps) {
  const t = useTexts('platform')
  const { form: texts } = useTexts('common')
  return (
    <>
      <SelectField
        form={form}
        name="kind"
        label={t.what}
        required
        data={dialBlockKinds.map((value) => ({ value, label: t.kinds[value] }))}
        emptyText={texts.noIdFound}
      />
      {kind === 'account' && (
        <AccountField form={form} name="targetId" label={t.target} required onChoose={onChooseAccount} />
      )}
      {isListed(kind) && (
        <SelectField
          form={form}
          name="targetId"
          label={t.target}
          required
          searchable
          data={targets.data?.map(({ targetId, target }) => ({ value: String(targetId), label: target }))}
          emptyText={texts.noIdFound}
          loadError={targets.error && !targets.data ? failureTexts(targets.error).message : undefined}
        />
      )}
      {stoppableOf(kind).length > 1 && (
        <SelectField
          form={form}
          name="what"
          label={t.stopped}
          required
          data={stoppableOf(kind).map((value) => ({ value, label: t.stoppable[value] }))}
          emptyText={texts.noIdFound}
        />
      )}
    </>
  )
}
