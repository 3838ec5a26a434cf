import { approvalCode } from '@ghanti/contract/sms-approval.ts'
import { smsTextRoutes } from '@ghanti/contract/sms-texts.ts'
import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { listQuery } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'
import { useTexts } from '../../../i18n/language.ts'

/** The account's texts that may be sent; choosing one replaces the written text. */
export default function SavedTexts({ onChoose }: { onChoose: (text: string) => void }) {
  const t = useTexts('smsCompose')
  const { userId } = useSession()
  const approved = String(approvalCode.approved) as '1'
  const saved = useQuery(listQuery(smsTextRoutes.list, { userId, textStatus: approved }, { sort: 'textName' }))
  const rows = saved.data?.rows ?? []
  return (
    <Select
      label={t.saved}
      description={t.savedHint}
      value={null}
      searchable
      data={rows.map(({ textId, textName }) => ({ value: String(textId), label: textName }))}
      nothingFoundMessage={t.noneSaved}
      error={saved.error && !saved.data ? t.savedFailed : undefined}
      comboboxProps={{ keepMounted: false }}
      onChange={(chosen) => {
        const row = rows.find(({ textId }) => String(textId) === chosen)
        if (row) onChoose(row.smsText)
      }}
    />
  )
}
