import { approvalCode } from '@ghanti/contract/sms-approval.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { useSession } from '../../../api/session.ts'
import { SelectField } from '../../../components/form/select/SelectField.tsx'
import Empty from '../../../components/ui/Empty.tsx'
import { failureTexts } from '../../../components/ui/failures/failure-texts.ts'
import { useTexts } from '../../../i18n/language.ts'
import type { FormOfCompose } from '../../compose/form.ts'
import { isApproved, sendersQuery } from '../queries.ts'

type SenderFieldProps = { form: FormOfCompose; name?: 'cli' | 'smsCli' }

/** The account's sender IDs; unapproved ones are disabled. A single approved one is preselected. */
export default function SenderField({ form, name = 'cli' }: SenderFieldProps) {
  const t = useTexts('smsCompose')
  const { form: texts } = useTexts('common')
  const senders = useQuery(sendersQuery(useSession().userId))
  const rows = senders.data?.rows
  const approved = rows?.filter(isApproved) ?? []
  const only = approved.length === 1 ? (approved[0]?.cliName ?? null) : null
  const { getValues, setFieldValue } = form
  useEffect(() => {
    if (only !== null && getValues()[name] === null) setFieldValue(name, only)
  }, [only, name, getValues, setFieldValue])
  const label = ({ cliName, cliStatus }: { cliName: string; cliStatus: number }) => {
    if (cliStatus === approvalCode.approved) return cliName
    return `${cliName} (${cliStatus === approvalCode.pending ? t.senderPending : t.senderRejected})`
  }
  return (
    <div>
      <SelectField
        form={form}
        name={name}
        label={t.sender}
        required
        data={rows?.map((row) => ({ value: row.cliName, label: label(row), disabled: !isApproved(row) }))}
        emptyText={texts.noIdFound}
        loadError={senders.error && !rows ? failureTexts(senders.error).message : undefined}
      />
      {rows && approved.length === 0 && (
        <Empty drawing="lines" text={t.noSender}>
          <Link to="/sms-sender-ids">{t.askForSender}</Link>
        </Empty>
      )}
    </div>
  )
}
