import type { Session } from '../../api/session.ts'
import { late } from '../../components/ui/loading/late.tsx'
import { loadTexts } from '../../i18n/language.ts'
import type { LinkScreen as Link } from '../../signed-out.ts'
import VerifyMailScreen from './VerifyMailScreen.tsx'

const UpdatePasswordScreen = late(() => import('./UpdatePasswordScreen.tsx'))
const FirstPassword = late(() => import('./FirstPassword.tsx'))
const FirstFactor = late(async () => {
  const [part] = await Promise.all([import('./FirstFactor.tsx'), loadTexts('factors')])
  return part
})

type LinkScreenProps = { screen: 'update-pwd' | Link; token: string } | { session: Session }

/** Where a mailed link leads, and what stands before the console where the session lacks a password of its own or a second factor. */
export default function LinkScreen(props: LinkScreenProps) {
  if ('session' in props)
    return props.session.must === 'factor' ? <FirstFactor /> : <FirstPassword session={props.session} />
  const { screen, token } = props
  return screen === 'update-pwd' ? (
    <UpdatePasswordScreen token={token} />
  ) : (
    <VerifyMailScreen screen={screen} token={token} />
  )
}
