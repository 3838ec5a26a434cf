import { messages } from '@ghanti/contract/messages.ts'
import { planRoutes } from '@ghanti/contract/plans.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import { call } from '../../api/client.ts'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery, queryClient, refreshLater } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { useLeave } from '../../components/form/use-leave.ts'
import { Page } from '../../components/ui/Page.tsx'
import { useTexts } from '../../i18n/language.ts'
import { SignUpFields } from './SignUpFields.tsx'
import { blankUser, toRegister, type UserValues } from './user-form.ts'
import { UserForm } from './UserForm.tsx'
import { setWelcome } from './welcome.ts'

export const loader = screenLoader(({ userId, prefetch }) => {
  void prefetch(jsonQuery(planRoutes.choices, { userId }))
  void prefetch(jsonQuery(userRoutes.channels, { userId }))
})

export default function CreateUserScreen() {
  const t = useTexts('users')
  const { role, accountType } = useSession()
  const leave = useLeave()
  const save = async (values: UserValues) => {
    const { logo, domain } = values
    const { domain: _, ...plain } = toRegister(values)
    if (logo || domain.trim())
      await call(userRoutes.registerWithBrand, toRegister(values), logo ? { files: { logo } } : {})
    else await call(userRoutes.register, plain)
    // What the new account took is no longer free, which is no fault of the form.
    refreshLater(userRoutes.list, userRoutes.channels)
    setWelcome(values)
    await leave('/user-list', messages.userCreated)
    // Many screens show balances and caller IDs, so all are reloaded.
    if (values.credits.trim() !== '' || values.clis !== null) void queryClient.invalidateQueries()
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
