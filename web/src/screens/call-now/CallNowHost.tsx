import { Suspense } from 'react'
import { useFollowupId } from '../../api/followup-state.ts'
import { late } from '../../components/ui/loading/late.tsx'
import { loadTexts } from '../../i18n/language.ts'

const Drawer = late(
  async () => {
    const [drawer] = await Promise.all([import('./CallNowDrawer.tsx'), loadTexts('callNow')])
    return drawer
  },
  { floating: true },
)

export function CallNowHost() {
  const followupId = useFollowupId()
  if (followupId === null) return null
  return (
    <Suspense fallback={null}>
      <Drawer key={followupId} followupId={followupId} />
    </Suspense>
  )
}
