import { dialerRoutes } from '@ghanti/contract/dialers.ts'
import { trunkRoutes } from '@ghanti/contract/trunks.ts'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery, useWrite } from '../../api/query.ts'
import { useLeave } from '../../components/form/use-leave.ts'
import { Page } from '../../components/ui/Page.tsx'
import { useTexts } from '../../i18n/language.ts'
import { beginTrunkTest } from './show-trunk-test.tsx'
import { blankTrunk, toCreateTrunk } from './trunk-form.ts'
import { TrunkForm } from './TrunkForm.tsx'

export const loader = screenLoader(({ prefetch }) => void prefetch(jsonQuery(dialerRoutes.choices, {})))

export default function CreateTrunkScreen() {
  const t = useTexts('lines')
  const leave = useLeave()
  const create = useWrite(trunkRoutes.create, [trunkRoutes.list])
  return (
    <Page title={t.trunks.create}>
      <TrunkForm
        initial={blankTrunk}
        trunk={null}
        submit={t.trunks.create}
        onSave={async (values, test) => {
          const { trunkId } = await create.mutateAsync({ input: toCreateTrunk(values) })
          await leave('/trunk-list', t.trunks.created)
          if (test) await beginTrunkTest({ trunkId, trunkName: values.trunkName.trim() }, t)
        }}
      />
    </Page>
  )
}
