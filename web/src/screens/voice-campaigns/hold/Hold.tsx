import type { HoldCause } from '@ghanti/contract/campaign-status.ts'
import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { useSession } from '../../../api/session.ts'
import { whenLoaded } from '../../../components/ui/loading/when-loaded.ts'
import { loadTexts, serverSentence, useTexts } from '../../../i18n/language.ts'
import { AskProvider, useProvider } from './Provider.tsx'
import classes from './Hold.module.css'
import { holds, type HoldAct } from './holds.ts'

export type Held = {
  campaignId: number
  campaignName: string
  isSms: boolean
  cause: HoldCause
  /** The engine's sentence, or an administrator's. */
  reason: string | null
  heldBy?: string | null | undefined
  /** Its owner's; the id where it is known. */
  username: string
  userId?: number | undefined
}

/** Why a campaign waits, who can act, and a button for it. Its texts come with `campaignActions`. `canResumeBeside`: the page has that button already. */
export function Hold({ held, canResumeBeside = false }: { held: Held; canResumeBeside?: boolean }) {
  const said = useHoldWords(held)
  return (
    <div className={classes.hold}>
      <p className={classes.said}>
        <span>{said.sentence}</span>
        {said.detail && <small>{said.detail}</small>}
      </p>
      <HoldButton held={held} canResumeBeside={canResumeBeside} />
    </div>
  )
}

/** The sentence, and what the engine or an administrator said. */
function useHoldWords({ cause, reason, heldBy, username }: Held): { sentence: string; detail: string | null } {
  const { holds: t } = useTexts('campaignActions')
  const { role, username: reader } = useSession()
  const ask = useProvider()
  const { act, goesOn, detailFor } = holds[cause]
  const mine = act[role]
  const by =
    cause !== 'administrator' || !heldBy ? t.causes[cause] : heldBy === reader ? t.youPaused : t.pausedBy(heldBy)
  const then = {
    itself: mine === null || mine === 'askIfLong' || mine === 'resume' ? t.byItself : t.byItselfAfterwards,
    owner: role === 'user' ? (mine === 'resume' ? t.resumeIt : t.resumeAfterwards) : t.ownerResumes(username),
    holder: role === 'user' ? t.holderResumes : t.resumeIt,
  }[goesOn]
  const parts =
    mine === 'ask'
      ? [by, ask.now, then]
      : mine === 'askIfLong'
        ? [by, then, ask.ifLong]
        : mine === 'recharge'
          ? [by, t.recharge(username), then]
          : [by, then]
  return {
    sentence: parts.filter(Boolean).join(' '),
    detail: reason !== null && (detailFor === 'all' || role === 'superAdmin') ? serverSentence(reason) : null,
  }
}

const places = { hours: '/calling-hours', dialers: '/dialer-list', trunks: '/trunk-list' } as const

function HoldButton({ held, canResumeBeside }: { held: Held; canResumeBeside: boolean }) {
  const { holds: t } = useTexts('campaignActions')
  const { role } = useSession()
  const act: HoldAct | null = holds[held.cause].act[role]
  const of = (label: string) => `${label}: ${held.campaignName}`
  switch (act) {
    case null:
      return null
    case 'ask':
    case 'askIfLong':
      return <AskProvider about={held.campaignName} />
    case 'resume':
      if (canResumeBeside) return null
      return (
        <Button size="compact-sm" variant="default" aria-label={of(t.resume)} onClick={() => resume(held)}>
          {t.resume}
        </Button>
      )
    case 'recharge':
    case 'customer':
      return (
        <Button
          component={Link}
          size="compact-sm"
          variant="default"
          to={held.userId ? `/customers/${held.userId}` : `/user-list?search=${encodeURIComponent(held.username)}`}
          aria-label={of(t.acts[act])}
        >
          {t.acts[act]}
        </Button>
      )
    case 'hours':
    case 'dialers':
    case 'trunks':
      return (
        <Button component={Link} size="compact-sm" variant="default" to={places[act]} aria-label={of(t.acts[act])}>
          {t.acts[act]}
        </Button>
      )
  }
}

const importResume = async () => (await Promise.all([import('./resume.ts'), loadTexts('voiceCampaigns')]))[0]
const resume = (held: Held) => void whenLoaded(importResume, (does) => does.resume(held))
