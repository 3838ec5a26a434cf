import { messages } from '@ghanti/contract/messages.ts'
import { planRoutes } from '@ghanti/contract/plans.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import { useNavigate } from 'react-router'
import { call } from '../../api/client.ts'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery, refresh } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { Page } from '../../components/ui/Page.tsx'
import { useTexts } from '../../i18n/language.ts'
import { SignUpFields } from './SignUpFields.tsx'
import { blankUser, toRegister, type UserValues } from './user-form.ts'
import { UserForm } from './UserForm.tsx'

export const loader = screenLoader(({ userId, prefetch }) => {
  void prefetch(jsonQuery(planRoutes.choices, { userId }))
  void prefetch(jsonQuery(userRoutes.channels, { userId }))
})

export default function CreateUserScreen() {
  const t = useTexts('users')
  const { role, accountType } = useSession()
  const navigate = useNavigate()
  const save = async (values: UserValues) => {
    const { logo, domain } = values
    const { domain: _, ...plain } = toRegister(values)
    if (logo || domain.trim())
      await call(userRoutes.registerWithBrand, toRegister(values), logo ? { files: { logo } } : {})
    else await call(userRoutes.register, plain)
    await refresh(userRoutes.list, userRoutes.channels)
    await navigate('/user-list')
    showDone(messages.userCreated)
  }
  return (
    <Page title={t.create}>
      <UserForm
        initial={blankUser(role === 'superAdmin' ? null : accountType)}
        user={null}
        submit={t.create}
        onSave={save}
      >
        {(form) => <SignUpFields form={form} />}
      </UserForm>
    </Page>
  )
}
