import { dialerRoutes } from '@ghanti/contract/dialers.ts'
import { useNavigate } from 'react-router'
import { useSession } from '../../api/session.ts'
import { useWrite } from '../../api/query.ts'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { Page } from '../../components/ui/Page.tsx'
import { useTexts } from '../../i18n/language.ts'
import { blankDialer, toCreateDialer } from './dialer-form.ts'
import { DialerForm } from './DialerForm.tsx'

export default function CreateDialerScreen() {
  const { dialers } = useTexts('lines')
  const { simulatorSpeed } = useSession()
  const navigate = useNavigate()
  const create = useWrite(dialerRoutes.create, [dialerRoutes.list, dialerRoutes.choices])
  return (
    <Page title={dialers.create}>
      <DialerForm
        initial={{ ...blankDialer, driver: simulatorSpeed === null ? null : 'simulator' }}
        dialer={null}
        submit={dialers.create}
        onSave={async (values) => {
          await create.mutateAsync({ input: toCreateDialer(values) })
          await navigate('/dialer-list')
          showDone(dialers.created)
        }}
      />
    </Page>
  )
}
