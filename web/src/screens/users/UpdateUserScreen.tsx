import layout from '../../components/form/Form.module.css'
import { customerRoutes } from '@ghanti/contract/customers.ts'
import { planRoutes } from '@ghanti/contract/plans.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import { plainNumber } from '@ghanti/contract/written-number.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery, useWrite } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { confirm } from '../../components/ui/dialogs/dialogs.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { useLeave } from '../../components/form/use-leave.ts'
import { Page } from '../../components/ui/Page.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { NotFound } from '../errors/NotFound.tsx'
import { idOf, useOpened } from '../lines/opened.ts'
import { keepsFewerDays, toUpdate, valuesOfUser, type UserDetail } from './user-form.ts'
import { UserForm } from './UserForm.tsx'
import classes from './Users.module.css'

export const loader = screenLoader(({ params, userId, prefetch }) => {
  const selected = idOf(params.selectedUserId)
  for (const route of [userRoutes.profile, userRoutes.channels])
    if (selected !== null) void prefetch(jsonQuery(route, { userId: selected }))
  void prefetch(jsonQuery(userRoutes.channels, { userId }))
  void prefetch(jsonQuery(planRoutes.choices, { userId }))
})

export default function UpdateUserScreen() {
  const userId = idOf(useParams().selectedUserId)
  return userId === null ? <NotFound /> : <Opened key={userId} userId={userId} />
}

function Opened({ userId }: { userId: number }) {
  const t = useTexts('users')
  const detail = useQuery(jsonQuery(userRoutes.profile, { userId }))
  const opened = useOpened(detail)
  return (
    <Page title={opened ? t.updateOf(opened.username) : t.update} subtitle={<Link to="/user-list">{t.back}</Link>}>
      {!opened && detail.error && <Failure error={detail.error} onRetry={() => void detail.refetch()} />}
      {!opened && !detail.error && <div className={classes.loading} aria-busy />}
      {opened?.isChild && <Loaded user={opened} />}
      {opened && !opened.isChild && <OfAnother user={opened} />}
    </Page>
  )
}

/** An account below a reseller, about which a super admin is asked first. */
function OfAnother({ user }: { user: UserDetail }) {
  const t = useTexts('users')
  const common = useTexts('common')
  const { role } = useSession()
  const [isSure, setIsSure] = useState(false)
  const { username, parentUser } = user
  if (parentUser === null) return <p role="alert">{t.ofNobody}</p>
  if (role !== 'superAdmin') return <p role="alert">{t.notYours(parentUser)}</p>
  if (isSure) return <Loaded user={user} />
  return (
    <div role="group" aria-label={t.updateOf(username)}>
      <p>{t.between(username, parentUser)}</p>
      <div className={layout.buttons}>
        <Button onClick={() => setIsSure(true)}>{common.dialog.yes}</Button>
        <Button variant="default" component={Link} to="/user-list">
          {common.dialog.cancel}
        </Button>
      </div>
    </div>
  )
}

function Loaded({ user }: { user: UserDetail }) {
  const t = useTexts('users')
  const format = useFormat()
  const leave = useLeave()
  const update = useWrite(userRoutes.update, [
    userRoutes.list,
    userRoutes.profile,
    userRoutes.channels,
    customerRoutes.detail,
  ])
  return (
    <UserForm
      initial={valuesOfUser(user)}
      user={user}
      submit={t.update}
      onSave={async (values) => {
        const { userType, recordingDays, logo } = values
        const save = async () => {
          await update.mutateAsync({ input: toUpdate(user, values), ...(logo ? { files: { logo } } : {}) })
          await leave('/user-list', t.updated)
        }
        if (userType !== 'user' || !keepsFewerDays(user.recordingDays, recordingDays)) return save()
        confirm({
          title: user.username,
          verb: t.update,
          question: t.recordingDaysQuestion(user.username, format.count(Number(plainNumber(recordingDays.trim())))),
          failure: t.updateFailed,
          labels: t.fields,
          danger: true,
          onYes: save,
        })
      }}
    />
  )
}
