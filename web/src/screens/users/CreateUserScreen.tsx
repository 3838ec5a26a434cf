import { messages } from '@ghanti/contract/messages.ts'
import { planRoutes } from '@ghanti/contract/plans.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import { Suspense } from 'react'
import { call } from '../../api/client.ts'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery, queryClient, refreshLater } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { useLeave } from '../../components/form/use-leave.ts'
import { late } from '../../components/ui/loading/late.tsx'
import { Page } from '../../components/ui/Page.tsx'
import { useTexts } from '../../i18n/language.ts'
import { blankUser, toRegister, type UserValues } from './user-form.ts'
import { UserForm } from './UserForm.tsx'
import { setWelcome } from './welcome.ts'
import classes from './Users.module.css'

// Fields of passwords are large, so the other fields do not wait for them.
const SignUpFields = late(() => import('./SignUpFields.tsx'))
void SignUpFields.preload()

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
        {(form) => (
          <Suspense fallback={<div className={classes.signUp} aria-busy />}>
            <SignUpFields form={form} />
          </Suspense>
        )}
      </UserForm>
    </Page>
  )
}
