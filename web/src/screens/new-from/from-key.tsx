import { answerRoutes } from '@ghanti/contract/answers.ts'
import { baseFromRoutes } from '@ghanti/contract/base-from.ts'
import { callKeys } from '@ghanti/contract/call-report.ts'
import { call } from '../../api/client.ts'
import { jsonQuery, queryClient } from '../../api/query.ts'
import { showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { textsOf } from '../../i18n/language.ts'
import { basesQuery } from '../compose/queries.ts'
import { blankChoice, bodyOf, nameOf, namesOfKeys, type Source } from './choice.ts'
import { Making } from './Making.tsx'
import { openNewFrom, type Pressed } from './open.tsx'

/** Requests a contact file of those who pressed the key, under a name that is free, and shows how it is made. */
export async function makeFromKey(
  source: Source,
  { key, by, userId }: Pressed,
  go: (path: string) => void,
): Promise<void> {
  const t = textsOf('newFrom')
  const [bases, { menus }] = await Promise.all([
    queryClient.fetchQuery(basesQuery(userId)),
    queryClient.fetchQuery(jsonQuery(answerRoutes.ofCampaign, { campaignId: source.campaignId })),
  ])
  const choice = { ...blankChoice, way: 'keys' as const, keys: callKeys.filter((one) => one === key) }
  const taken = bases.map(({ baseName }) => baseName)
  const name = nameOf(choice, source.campaignName, taken, namesOfKeys(menus), t)
  const { makingId } = await call(baseFromRoutes.make, bodyOf(choice, source.campaignId, name))
  showDialog({
    title: t.title(source.campaignName),
    render: (close) => (
      <Making makingId={makingId} by={by} onReady={go} onBack={() => void openNewFrom(source, go)} close={close} />
    ),
  })
}
