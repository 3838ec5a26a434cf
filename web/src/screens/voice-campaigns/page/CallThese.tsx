import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useSession } from '../../../api/session.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { openNewFromKey } from '../../new-from/open.tsx'
import classes from './Answers.module.css'
import type { CampaignDetail } from './detail.ts'

type CallTheseProps = { source: CampaignDetail; pressed: string; count: number }

/** 'Call or write to these 5': a new campaign to those who pressed the key. */
export function CallThese({ source, pressed, count }: CallTheseProps) {
  const { these: t } = useTexts('answers')
  const format = useFormat()
  const navigate = useNavigate()
  const { userId } = useSession()
  const { campaignId, campaignName } = source
  const go = (path: string) => void navigate(path)
  const [busy, setBusy] = useState(false)
  const open = async (by: 'calls' | 'messages') => {
    if (busy) return
    setBusy(true)
    await openNewFromKey({ campaignId, campaignName }, { key: pressed, by, userId }, go)
    setBusy(false)
  }
  const many = format.count(count)
  return (
    <span className={classes.these} aria-busy={busy || undefined}>
      <button type="button" aria-label={t.callLabel(many, pressed)} onClick={() => void open('calls')}>
        {t.call(many)}
      </button>{' '}
      {t.or}{' '}
      <button type="button" aria-label={t.writeLabel(many, pressed)} onClick={() => void open('messages')}>
        {t.write(many)}
      </button>
    </span>
  )
}
