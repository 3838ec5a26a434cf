import { groupMembersMax, lineRoutes } from '@ghanti/contract/lines.ts'
import { groupNameMax } from '@ghanti/contract/values.ts'
import { Button } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { wholeNumber, type Form } from '../../components/form/field.ts'
import layout from '../../components/form/Form.module.css'
import { TextField } from '../../components/form/TextField.tsx'
import { fieldText } from '../../components/ui/failures/failure-texts.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Clis.module.css'
import { blankMember, type GroupValues } from './group-form.ts'
import { SearchPicker } from './SearchPicker.tsx'
import { TrunkPicker } from './TrunkPicker.tsx'

export function GroupFields({ form }: { form: Form<GroupValues> }) {
  const t = useTexts('cliGroups')
  const { fields } = useTexts('clis')
  const { members } = form.getValues()
  const error: unknown = form.errors['members']
  return (
    <>
      <TextField
        form={form}
        name="groupName"
        label={t.groupName}
        required
        maxLength={groupNameMax}
        autoComplete="off"
      />
      <TrunkPicker form={form} name="trunkName" label={fields.trunkName} description={t.trunkHint} required />
      <div className={layout.fields}>
        <h3 className={layout.heading}>{t.members}</h3>
        <p className={layout.hint}>{t.hint}</p>
        {members.map((_, at) => (
          <Member key={form.key(`members.${at}`)} form={form} at={at} isOnly={members.length === 1} />
        ))}
        {typeof error === 'string' && (
          <p className={classes.wrong} role="alert">
            {fieldText(t.members, error)}
          </p>
        )}
        {members.length < groupMembersMax && (
          <div>
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => form.insertListItem('members', blankMember)}
            >
              {t.add}
            </Button>
          </div>
        )}
      </div>
    </>
  )
}

function Member({ form, at, isOnly }: { form: Form<GroupValues>; at: number; isOnly: boolean }) {
  const t = useTexts('cliGroups')
  const { form: words } = useTexts('common')
  const format = useFormat()
  const number = format.count(at + 1)
  const { cliId, label } = form.getValues().members[at] ?? blankMember
  return (
    <div className={classes.member} role="group" aria-label={t.member(number)}>
      <SearchPicker
        form={form}
        name={`members.${at}.cliId`}
        label={t.member(number)}
        required
        route={lineRoutes.all}
        isOffered={(row) => row.members === null && row.cliStatus === 1}
        optionOf={(row) => ({ value: String(row.cliId), label: format.phone(row.cli) })}
        chosen={cliId === null ? null : { value: cliId, label }}
        onChoose={(option) => form.setFieldValue(`members.${at}.label`, option?.label ?? '')}
        emptyText={words.noIdFound}
      />
      <TextField form={form} name={`members.${at}.weight`} label={t.weight} required {...wholeNumber} />
      {!isOnly && (
        <Button variant="default" aria-label={t.remove(number)} onClick={() => form.removeListItem('members', at)}>
          <IconX size={16} stroke={1.7} aria-hidden />
        </Button>
      )}
    </div>
  )
}
