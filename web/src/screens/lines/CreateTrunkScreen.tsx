import { dialerRoutes } from '@ghanti/contract/dialers.ts'
import { trunkRoutes } from '@ghanti/contract/trunks.ts'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery, useWrite } from '../../api/query.ts'
import { useLeave } from '../../components/form/use-leave.ts'
import { Page } from '../../components/ui/Page.tsx'
import { useTexts } from '../../i18n/language.ts'
import { blankTrunk, toCreateTrunk } from './trunk-form.ts'
import { TrunkForm } from './TrunkForm.tsx'

export const loader = screenLoader(({ prefetch }) => void prefetch(jsonQuery(dialerRoutes.choices, {})))

export default function CreateTrunkScreen() {
  const { trunks } = useTexts('lines')
  const leave = useLeave()
  const create = useWrite(trunkRoutes.create, [trunkRoutes.list])
  return (
    <Page title={trunks.create}>
      <TrunkForm
        initial={blankTrunk}
        trunk={null}
        submit={trunks.create}
        onSave={async (values) => {
          await create.mutateAsync({ input: toCreateTrunk(values) })
          await leave('/trunk-list', trunks.created)
        }}
      />
    </Page>
  )
}
