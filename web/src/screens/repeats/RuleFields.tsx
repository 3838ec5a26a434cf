import { useQuery } from '@tanstack/react-query'
import { jsonQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { wholeNumber, type Form } from '../../components/form/field.ts'
import layout from '../../components/form/Form.module.css'
import { MultiSelectField } from '../../components/form/select/MultiSelectField.tsx'
import { Segments } from '../../components/form/Segments.tsx'
import { SelectField } from '../../components/form/select/SelectField.tsx'
import { TextField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'
import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { everyDay, rules, whens, type RepeatForm } from './form.ts'

export function RuleFields({ form }: { form: Form<RepeatForm> }) {
  const { fields, form: t, weekdays } = useTexts('repeats')
  // oxlint-disable-next-line react/hooks -- the form's own hook is the same in every render
  const rule = form.useWatchValue('rule')
  return (
    <div className={layout.fields}>
      <Segments
        label={fields.rule}
        value={rule}
        onChange={(chosen) => form.setFieldValue('rule', chosen)}
        data={rules.map((value) => ({ value, label: t.rules[value] }))}
      />
      {rule === 'weekly' ? (
        <MultiSelectField
          form={form}
          name="weekdays"
          label={fields.weekdays}
          required
          data={everyDay.map((day) => ({ value: day, label: weekdays[Number(day)] ?? day }))}
          emptyText=""
        />
      ) : (
        <ColumnFields form={form} />
      )}
    </div>
  )
}

function ColumnFields({ form }: { form: Form<RepeatForm> }) {
  const { fields, form: t } = useTexts('repeats')
  const bases = useQuery(jsonQuery(contactRoutes.bases, { userId: useSession().userId }))
  // oxlint-disable react/hooks -- as above
  const [chosen, when] = [form.useWatchValue('baseId'), form.useWatchValue('when')]
  // oxlint-enable react/hooks
  const base = bases.data?.find(({ baseId }) => String(baseId) === chosen)
  return (
    <>
      <SelectField
        form={form}
        name="column"
        label={fields.column}
        description={t.columnHint}
        required
        data={base?.columns.slice(1).map((value) => ({ value, label: value })) ?? []}
        emptyText={t.noColumns}
      />
      <SelectField
        form={form}
        name="when"
        label={t.when}
        required
        data={whens.map((value) => ({ value, label: t.whens[value] }))}
        emptyText=""
      />
      {when !== 'on' && <TextField form={form} name="offsetDays" label={t.days} required {...wholeNumber} />}
    </>
  )
}
