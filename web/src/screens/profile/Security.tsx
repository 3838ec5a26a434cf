import { browserNames, sessionRoutes, systemNames, type OpenSignIn } from '@ghanti/contract/sessions.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Link } from 'react-router'
import { jsonQuery, useWrite } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { confirm, showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { late } from '../../components/ui/loading/late.tsx'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import { Status } from '../../components/ui/Status.tsx'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { ChangePassword } from './ChangePassword.tsx'
import page from './ProfileScreen.module.css'
import classes from './Security.module.css'

const Factors = late(() => import('./Factors.tsx'))

export default function Security() {
  const { username, name, role } = useSession()
  const { security: t } = useTexts('profile')
  const change = () =>
    showDialog({
      title: t.change,
      size: 'md',
      render: (close) => <ChangePassword person={{ username, name }} close={close} />,
    })
  return (
    <section aria-labelledby="security" className={classes.section}>
      <h2 id="security" className={page.heading}>
        {t.title}
      </h2>
      <div className={classes.part}>
        <div className={classes.about}>
          <h3 className={classes.name}>{t.password}</h3>
          <p className={classes.detail}>{t.passwordHint}</p>
        </div>
        <Button variant="default" onClick={change}>
          {t.change}
        </Button>
      </div>
      <Suspense fallback={null}>
        <Factors />
      </Suspense>
      {role !== 'superAdmin' && <Programs />}
      <OpenSignIns />
    </section>
  )
}

/** Their keys and webhooks have a page of their own. */
function Programs() {
  const { security: t } = useTexts('profile')
  const { menu } = useTexts('common')
  return (
    <div className={classes.part}>
      <div className={classes.about}>
        <h3 className={classes.name}>{t.programs}</h3>
        <p className={classes.detail}>{t.programsHint}</p>
      </div>
      <Button component={Link} to="/developers" variant="default">
        {menu.developers}
      </Button>
    </div>
  )
}

function OpenSignIns() {
  const { security: t } = useTexts('profile')
  const format = useFormat()
  const query = useQuery(jsonQuery(sessionRoutes.list, {}))
  const write = useWrite(sessionRoutes.end, [sessionRoutes.list])
  const end = (input: { sessionId: number } | { others: true }, verb: string, what: string) =>
    confirm({
      title: what,
      verb,
      question: t.endQuestion,
      failure: t.endFailed,
      onYes: async () => {
        const { ended } = await write.mutateAsync({ input })
        showDone(t.ended(ended, format.count(ended)))
      },
    })
  if (query.error && !query.data) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return null
  return (
    <>
      <div className={classes.part}>
        <div className={classes.about}>
          <h3 className={classes.name}>{t.signIns}</h3>
          <p className={classes.detail}>{t.signInsHint}</p>
        </div>
        {query.data.length > 1 && (
          <Button variant="default" onClick={() => end({ others: true }, t.end, t.others)}>
            {t.endOthers}
          </Button>
        )}
      </div>
      <ul className={classes.list}>
        {query.data.map((signIn) => (
          <SignIn
            key={signIn.sessionId}
            signIn={signIn}
            onEnd={(what) => end({ sessionId: signIn.sessionId }, t.end, what)}
          />
        ))}
      </ul>
    </>
  )
}

function SignIn({ signIn, onEnd }: { signIn: OpenSignIn; onEnd: (what: string) => void }) {
  const { security: t } = useTexts('profile')
  const { names } = useTexts('factors')
  const { current, ip, lastSeenAt, openedAt, factor } = signIn
  const program = programOf(signIn, t)
  return (
    <li className={classes.signIn}>
      <div className={classes.about}>
        <p className={classes.name}>
          {program}{' '}
          {current && (
            <Status is="done" badge>
              {t.thisOne}
            </Status>
          )}
        </p>
        <p className={classes.detail}>
          <span translate="no">{ip}</span> · {t.lastUsed} <NepalTime wire={lastSeenAt} relative /> · {t.since}{' '}
          <NepalTime wire={openedAt} />
          {factor !== null && ` · ${names[factor]}`}
        </p>
      </div>
      {!current && (
        <Button variant="default" size="compact-sm" aria-label={t.endWhat(program)} onClick={() => onEnd(program)}>
          {t.end}
        </Button>
      )}
    </li>
  )
}

function programOf({ browser, system }: OpenSignIn, t: TextsOf<'profile'>['security']): string {
  const name = browser === 'other' ? t.otherBrowser : browserNames[browser]
  return system === 'other' ? name : t.on(name, systemNames[system])
}
