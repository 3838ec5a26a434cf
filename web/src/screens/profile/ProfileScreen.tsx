import { userRoutes } from '@ghanti/contract/users.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense, type ReactNode } from 'react'
import { screenLoader } from '../../api/loader.ts'
import { jsonQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { late } from '../../components/ui/loading/late.tsx'
import { useOwnBalance } from '../../components/ui/own-balance.ts'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import { Page } from '../../components/ui/Page.tsx'
import { useFormat } from '../../i18n/format.ts'
import { loadTexts, useTexts } from '../../i18n/language.ts'
import { MailAddress } from './MailAddress.tsx'
import { OwnPlan } from './OwnPlan.tsx'
import { StoredSection } from './StoredSection.tsx'
import { RecordingsKept } from './RecordingsKept.tsx'
import classes from './ProfileScreen.module.css'

export const loader = screenLoader(({ userId, prefetch }) => void prefetch(jsonQuery(userRoutes.profile, { userId })))

/** Read-only: the account above may change it (specification 2 §2). */
export default function ProfileScreen() {
  const t = useTexts('profile')
  const { userId, role } = useSession()
  const profile = useQuery(jsonQuery(userRoutes.profile, { userId }))
  return (
    <Page title={t.title} {...(role === 'superAdmin' ? {} : { subtitle: t.readOnly })}>
      {profile.error && !profile.data && <Failure error={profile.error} onRetry={() => void profile.refetch()} />}
      {profile.data && <Fields profile={profile.data} />}
      {role !== 'superAdmin' && <StoredSection />}
      {profile.data && <Recordings profile={profile.data} />}
      <DatesSection />
      <Suspense fallback={null}>
        <Security />
        <NoticeSettings />
      </Suspense>
    </Page>
  )
}

function Recordings({ profile: { recordingDays, recordingDaysMax } }: { profile: ReplyOf<typeof userRoutes.profile> }) {
  if (recordingDays === null || recordingDaysMax === null) return null
  return <RecordingsKept key={recordingDays} days={recordingDays} most={recordingDaysMax} />
}

// Last of the page: nothing moves when they come.
const Security = late(async () => {
  const [part] = await Promise.all([import('./Security.tsx'), loadTexts('factors')])
  return part
})

const NoticeSettings = late(async () => {
  const [part] = await Promise.all([import('./NoticeSettings.tsx'), loadTexts('notices')])
  return part
})

const DigitChoice = late(async () => {
  const [part] = await Promise.all([import('../../components/dates/DigitChoice.tsx'), loadTexts('dates')])
  return part
})

const CalendarChoice = late(async () => {
  const [part] = await Promise.all([import('../../components/dates/CalendarChoice.tsx'), loadTexts('dates')])
  return part
})

function DatesSection() {
  const { dates } = useTexts('profile')
  return (
    <section aria-labelledby="dates">
      <h2 id="dates" className={classes.heading}>
        {dates.title}
      </h2>
      <p className={classes.hint}>{dates.hint}</p>
      <Suspense fallback={null}>
        <div className={classes.choices}>
          <CalendarChoice />
          <DigitChoice />
        </div>
      </Suspense>
    </section>
  )
}

function Fields({ profile }: { profile: ReplyOf<typeof userRoutes.profile> }) {
  const t = useTexts('profile')
  const { accountTypes, roles } = useTexts('common')
  const format = useFormat()
  const { role } = useSession()
  const balance = useOwnBalance()
  const fields: [string, ReactNode][] = [
    [t.name, profile.name],
    [t.username, profile.username],
    [t.emailid, profile.emailid && <MailAddress address={profile.emailid} state={profile.mail} />],
    [t.number, format.phone(profile.number)],
    [t.company, profile.company],
    [t.address, profile.address],
    [t.pincode, profile.pincode],
  ]
  if (role !== 'superAdmin') {
    fields.push(
      [t.userType, profile.userType && roles[profile.userType]],
      [t.parentUser, profile.parentUser],
      [t.planName, profile.planName === null ? t.noPlan : <OwnPlan name={profile.planName} />],
      [t.credits, balance && [balance.free, balance.reserved].filter(Boolean).join(' · ')],
      [t.channels, profile.channels === null ? t.unlimited : format.count(profile.channels)],
      [t.usercli, profile.usercli.split(', ').map(format.phone).join(', ')],
      [t.accountType, accountTypes[profile.accountType]],
      [t.expiryDate, profile.expiryDate === null ? t.neverExpires : <NepalTime wire={profile.expiryDate} relative />],
    )
  }
  return (
    <dl className={classes.fields}>
      {fields.map(([label, value]) => (
        <div key={label} className={classes.field}>
          <dt>{label}</dt>
          <dd>{value === null || value === '' || value === undefined ? '–' : value}</dd>
        </div>
      ))}
    </dl>
  )
}
