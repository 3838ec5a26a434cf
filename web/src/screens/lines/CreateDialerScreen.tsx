import { dialerRoutes } from '@ghanti/contract/dialers.ts'
import { useSession } from '../../api/session.ts'
import { useWrite } from '../../api/query.ts'
import { useLeave } from '../../components/form/use-leave.ts'
import { Page } from '../../components/ui/Page.tsx'
import { useTexts } from '../../i18n/language.ts'
import { blankDialer, toCreateDialer } from './dialer-form.ts'
import { DialerForm } from './DialerForm.tsx'

export default function CreateDialerScreen() {
  const { dialers } = useTexts('lines')
  const { simulatorSpeed } = useSession()
  const leave = useLeave()
  const create = useWrite(dialerRoutes.create, [dialerRoutes.list, dialerRoutes.choices])
  return (
    <Page title={dialers.create}>
      <DialerForm
        initial={{ ...blankDialer, driver: simulatorSpeed === null ? null : 'simulator' }}
        dialer={null}
        submit={dialers.create}
        onSave={async (values) => {
          await create.mutateAsync({ input: toCreateDialer(values) })
          await leave('/dialer-list', dialers.created)
        }}
      />
    </Page>
  )
}
