import type { FrozenOwner } from '@ghanti/contract/freezing.ts'
import { Button } from '@mantine/core'
import { showDialog, showFailure } from '../../components/ui/dialogs/dialogs.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import FrozenBar from './FrozenBar.tsx'

/** In place of what pauses or resumes a campaign: whoever may lift the freeze does, everybody else reads who can. */
export function HeldByFreeze({ campaign, frozen }: { campaign: string; frozen: FrozenOwner }) {
  const { frozen: t, freezing } = useTexts('users')
  const format = useFormat()
  if (frozen.lifter === 'you') {
    const lift = () => void import('./ask.tsx').then((ask) => ask.askToLift(frozen, freezing, format), showFailure)
    return <Button onClick={lift}>{freezing.lift}</Button>
  }
  const why = `${t.title(frozen.username)}. ${t.lifters[frozen.lifter]}`
  return (
    <Button
      variant="default"
      aria-disabled
      title={why}
      onClick={() => showDialog({ title: campaign, render: () => <p>{why}</p> })}
    >
      {t.held}
    </Button>
  )
}

/** Over everything of the campaign. */
export function FrozenCampaignBar({
  title,
  text,
  lifter,
}: { title: string; text: string } & Pick<FrozenOwner, 'lifter'>) {
  const { frozen: t } = useTexts('users')
  return <FrozenBar title={title} text={`${text} ${t.lifters[lifter]}`} />
}
