import { columnsOf, sampleOf, type ExampleOf } from '@ghanti/contract/examples/example.ts'
import { nationalOf } from '@ghanti/contract/phone.ts'
import { approvalCode } from '@ghanti/contract/sms-approval.ts'
import { smsSenderRoutes } from '@ghanti/contract/sms-senders.ts'
import { smsTextRoutes, type TextRow } from '@ghanti/contract/sms-texts.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { basePath } from '../../../api/base.ts'
import { jsonQuery, listQuery } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'

const approved = String(approvalCode.approved) as '1'
const address = `${location.origin}${basePath}`
/** Where the reader has none of their own. */
const strangers = { to: '9841000001', from: 'YOUR-NAME', text: 'Your code is 471108.', messageId: '1204-17' }

const templateOf = ({ textId, smsText }: TextRow): ExampleOf['template'] => ({
  id: textId,
  values: Object.fromEntries(columnsOf(smsText).map((column) => [column, sampleOf(column)])),
})

/** The reader's own names for the examples: approved sender IDs and texts, of which one each is chosen, and their number. */
export function useOwn(isUser: boolean) {
  const { userId } = useSession()
  const [sender, chooseSender] = useState<string | null>(null)
  const [textId, chooseText] = useState<string | null>(null)
  const [messageId, setMessageId] = useState(strangers.messageId)
  const senders = useQuery({
    ...listQuery(smsSenderRoutes.list, { userId, cliStatus: approved }, { sort: 'cliName' }),
    enabled: isUser,
  })
  const texts = useQuery({
    ...listQuery(smsTextRoutes.list, { userId, textStatus: approved }, { sort: 'textName' }),
    enabled: isUser,
  })
  const profile = useQuery({ ...jsonQuery(userRoutes.profile, { userId }), enabled: isUser })
  const rows = { senders: senders.data?.rows ?? [], texts: texts.data?.rows ?? [] }
  const from = rows.senders.find(({ cliName }) => cliName === sender) ?? rows.senders[0]
  // A text with columns shows more of what a program can do.
  const first = rows.texts.find(({ smsText }) => columnsOf(smsText).length > 0) ?? rows.texts[0]
  const text = textId === '' ? undefined : (rows.texts.find((row) => String(row.textId) === textId) ?? first)
  const number = nationalOf(profile.data?.number ?? '')
  const of: ExampleOf = {
    ...strangers,
    address,
    messageId,
    reference: 'order-4711',
    template: text ? templateOf(text) : null,
    ...(/^9\d{9}$/.test(number) && { to: number }),
    ...(from && { from: from.cliName }),
  }
  return {
    ...rows,
    of,
    from,
    text,
    isLoading: isUser && [senders, texts, profile].some(({ isPending }) => isPending),
    failed: [senders, texts].find(({ error, data }) => error && !data),
    chooseSender,
    chooseText,
    setMessageId,
  }
}
export type Own = ReturnType<typeof useOwn>
