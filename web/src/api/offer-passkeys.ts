import { signInRoutes } from '@ghanti/contract/sign-in.ts'
import { browserSupportsWebAuthnAutofill, startAuthentication, WebAuthnAbortService } from '@simplewebauthn/browser'
import { call } from './client.ts'
import { loginWith } from './passkeys.ts'

/** A challenge lives five minutes, and the page may stand for hours. */
const askedAgainMs = 4 * 60_000

type Given = { busy: (isBusy: boolean) => void; failed: (error: unknown) => void }

/**
 * Where the browser can, it offers passkeys of this address among the names that it fills in; whoever types a name notices nothing. Whatever else asks for
 * a passkey takes its place. Returns what ends it.
 */
export function offerPasskeys({ busy, failed }: Given): () => void {
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const offer = async (): Promise<void> => {
    const asked = await call(signInRoutes.passkeyOptions, {})
    if (isOver) return
    timer = setTimeout(() => void offer().catch(nothing), askedAgainMs)
    const passkey = await startAuthentication({
      optionsJSON: { ...asked, allowCredentials: [] },
      useBrowserAutofill: true,
    })
    if (isOver) return
    busy(true) // which ends the offer, until it is over
    await loginWith(passkey).catch(failed)
    busy(false)
  }
  void browserSupportsWebAuthnAutofill()
    .then((can) => (can && !isOver ? offer() : undefined))
    .catch(nothing)
  return () => {
    isOver = true
    clearTimeout(timer)
    WebAuthnAbortService.cancelCeremony()
  }
}

/** It was only an offer: the form and the button are there. */
const nothing = () => undefined
