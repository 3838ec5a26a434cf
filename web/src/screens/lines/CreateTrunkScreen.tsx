import { dialerRoutes } from '@ghanti/contract/dialers.ts'
import { trunkRoutes } from '@ghanti/contract/trunks.ts'
import { useNavigate } from 'react-router'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery, useWrite } from '../../api/query.ts'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { Page } from '../../components/ui/Page.tsx'
import { useTexts } from '../../i18n/language.ts'
import { blankTrunk, toCreateTrunk } from './trunk-form.ts'
import { TrunkForm } from './TrunkForm.tsx'

export const loader = screenLoader(({ prefetch }) => void prefetch(jsonQuery(dialerRoutes.choices, {})))

export default function CreateTrunkScreen() {
  const { trunks } = useTexts('lines')
  const navigate = useNavigate()
  const create = useWrite(trunkRoutes.create, [trunkRoutes.list])
  return (
    <Page title={trunks.create}>
      <TrunkForm
        initial={blankTrunk}
        trunk={null}
        submit={trunks.create}
        onSave={async (values) => {
          await create.mutateAsync({ input: toCreateTrunk(values) })
          await navigate('/trunk-list')
          showDone(trunks.created)
        }}
      />
    </Page>
  )
}
