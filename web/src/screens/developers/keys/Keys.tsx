import { keyRoutes, type KeyRow, type KeyState } from '@ghanti/contract/keys.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { jsonQuery, refresh } from '../../../api/query.ts'
import { confirm } from '../../../components/ui/dialogs/dialogs.ts'
import Empty from '../../../components/ui/Empty.tsx'
import { Failure } from '../../../components/ui/failures/Failure.tsx'
import { NepalTime } from '../../../components/ui/NepalTime.tsx'
import { Status, type StatusKind } from '../../../components/ui/Status.tsx'
import { showDone } from '../../../components/ui/toasts/toasts.ts'
import classes from '../Developers.module.css'
import { openNewKey, openRoll } from './dialogs.tsx'
import { keyTexts, useKeyTexts } from './texts.ts'

const kinds: Record<KeyState, StatusKind> = {
  active: 'done',
  ending: 'held',
  paused: 'problem',
  ended: 'neutral',
  expired: 'neutral',
  revoked: 'neutral',
}
const works = new Set<KeyState>(['active', 'ending', 'paused'])

/** Keys with which programs act for the own account. */
export default function Keys() {
  const t = useKeyTexts()
  const query = useQuery(jsonQuery(keyRoutes.list, {}))
  if (query.error && !query.data) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <div className={classes.loading} aria-busy />
  const add = <Button onClick={() => openNewKey()}>{t.createWhat}</Button>
  return (
    <section className={classes.part} aria-labelledby="keys">
      <div className={classes.head}>
        <div>
          <h2 id="keys">{t.title}</h2>
          <p>{t.hint}</p>
        </div>
        {query.data.length > 0 && add}
      </div>
      {query.data.length === 0 ? (
        <div className={classes.card}>
          <Empty drawing="lines" text={t.none}>
            {add}
          </Empty>
        </div>
      ) : (
        <ul className={classes.rows}>
          {query.data.map((key) => (
            <Key key={key.keyId} of={key} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Key({ of: key }: { of: KeyRow }) {
  const t = useKeyTexts()
  const { name, last4, scopes, state } = key
  return (
    <li className={classes.row}>
      <div className={classes.about}>
        <p className={classes.name}>
          <bdi>{name}</bdi> <code translate="no">…{last4}</code>{' '}
          <Status is={kinds[state]} badge>
            {t.states[state]}
          </Status>
        </p>
        <p className={classes.detail}>{scopes.map((scope) => t.scopes[scope]).join(' · ')}</p>
        <Use of={key} />
        {state === 'paused' && <p className={classes.detail}>{t.pausedHint}</p>}
      </div>
      <div className={classes.actions}>
        {(state === 'active' || state === 'paused') && (
          <Button variant="default" size="compact-sm" aria-label={t.rollTitle(name)} onClick={() => openRoll(key)}>
            {t.roll}
          </Button>
        )}
        {works.has(state) && (
          <Button variant="default" size="compact-sm" aria-label={t.revokeWhat(name)} onClick={() => askRevoke(key)}>
            {t.revoke}
          </Button>
        )}
      </div>
    </li>
  )
}

/** From where and until when it works, and when it did. */
function Use({ of: { networks, state, expiresAt, endsAt, usedAt, usedFrom } }: { of: KeyRow }) {
  const t = useKeyTexts()
  const until = state === 'ending' ? endsAt : state === 'active' ? expiresAt : null
  return (
    <p className={classes.detail}>
      {networks === null ? t.anywhere : <span translate="no">{networks.map(shortOf).join(', ')}</span>}
      {until !== null && (
        <>
          {' · '}
          {t.until} <NepalTime wire={until} />
        </>
      )}
      {' · '}
      {usedAt === null ? (
        t.never
      ) : (
        <>
          {t.used} <NepalTime wire={usedAt} relative />
        </>
      )}
      {usedFrom !== null && (
        <>
          {' · '}
          <span translate="no">{usedFrom}</span>
        </>
      )}
    </p>
  )
}

/** An address alone is stored as a network of one. */
const shortOf = (network: string): string => network.replace(/\/(32|128)$/, '')

function askRevoke({ keyId, name }: KeyRow): void {
  const t = keyTexts()
  confirm({
    title: name,
    verb: t.revoke,
    question: t.revokeQuestion,
    failure: t.revokeFailed,
    labels: t.fields,
    danger: true,
    onYes: async () => {
      await call(keyRoutes.revoke, { keyId }).finally(() => refresh(keyRoutes.list))
      showDone(t.revoked(name))
    },
  })
}
