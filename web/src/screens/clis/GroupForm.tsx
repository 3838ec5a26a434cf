import { cliPools, lineRoutes, type CliGroup } from '@ghanti/contract/lines.ts'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { jsonQuery, refresh } from '../../api/query.ts'
import { DialogForm } from '../../components/form/DialogForm.tsx'
import { SelectField } from '../../components/form/select/SelectField.tsx'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import lines from '../lines/Lines.module.css'
import { refreshClis } from './actions.tsx'
import { blankGroup, groupProblems, toGroup, valuesOfGroup, type GroupValues } from './group-form.ts'
import { GroupFields } from './GroupFields.tsx'

/** Null: a new group. */
export default function GroupForm({ cliId, close }: { cliId: number | null; close: () => void }) {
  return cliId === null ? <NewGroup close={close} /> : <ChangeGroup cliId={cliId} close={close} />
}

function NewGroup({ close }: { close: () => void }) {
  const t = useTexts('cliGroups')
  const { fields, pools, cancel, upload } = useTexts('clis')
  const form = useForm<GroupValues>({ mode: 'uncontrolled', initialValues: blankGroup, validate: groupProblems })
  const save = async (values: GroupValues) => {
    await call(lineRoutes.addGroup, { ...toGroup(values), pool: cliPools.find((pool) => pool === values.pool) })
    await refreshClis()
    close()
    showDone(t.created)
  }
  return (
    <DialogForm form={form} save={save} submit={t.submit} cancel={cancel} close={close} failed={t.failed}>
      <GroupFields form={form} />
      <SelectField
        form={form}
        name="pool"
        label={fields.pool}
        description={upload.poolHint}
        data={cliPools.map((value) => ({ value, label: pools[value] }))}
        emptyText=""
      />
    </DialogForm>
  )
}

function ChangeGroup({ cliId, close }: { cliId: number; close: () => void }) {
  const group = useQuery({ ...jsonQuery(lineRoutes.group, { cliId }), staleTime: 0, gcTime: 0 })
  if (group.error && !group.data) return <Failure error={group.error} />
  if (!group.data) return <div className={lines.loading} aria-busy />
  return <Fields group={group.data} close={close} />
}

function Fields({ group, close }: { group: CliGroup; close: () => void }) {
  const t = useTexts('cliGroups')
  const { cancel } = useTexts('clis')
  const format = useFormat()
  const form = useForm<GroupValues>({
    mode: 'uncontrolled',
    initialValues: valuesOfGroup(group, format.phone),
    validate: groupProblems,
  })
  const save = async (values: GroupValues) => {
    await call(lineRoutes.updateGroup, { cliId: group.cliId, ...toGroup(values) })
    await Promise.all([refreshClis(), refresh(lineRoutes.group)])
    close()
    showDone(t.done)
  }
  return (
    <DialogForm form={form} save={save} submit={t.submit} cancel={cancel} close={close} failed={t.failed}>
      <GroupFields form={form} />
    </DialogForm>
  )
}
