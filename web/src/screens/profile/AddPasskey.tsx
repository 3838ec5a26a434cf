import { codeDigits, factorRoutes } from '@ghanti/contract/factors.ts'
import { passkeyNameMax, type Attestation } from '@ghanti/contract/passkeys.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { useForm } from '@mantine/form'
import { useRef } from 'react'
import { call } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { makePasskey, passkeyFailure } from '../../api/passkeys.ts'
import { DialogForm } from '../../components/form/DialogForm.tsx'
import { TextField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'

type AddPasskeyProps = {
  begun: ReplyOf<typeof factorRoutes.passkeyOptions>
  added: (close: () => void) => Promise<void>
  close: () => void
  /** What leads away without one. */
  cancel?: string
}

/** A name for it, then the browser asks whoever sits there. */
export function AddPasskey({ begun: { token, options, mailed }, added, close, cancel }: AddPasskeyProps) {
  const { passkeys: t, adding } = useTexts('factors')
  const form = useForm({ mode: 'uncontrolled', initialValues: { name: deviceName(), mailCode: '' } })
  /** Once the browser has made it, a wrong code from the mail makes no second one. */
  const made = useRef<Attestation | null>(null)
  const save = async ({ name, mailCode }: { name: string; mailCode: string }) => {
    try {
      made.current ??= await makePasskey(options)
      const code = mailed && { mailCode: mailCode.trim() }
      await call(factorRoutes.addPasskey, { token, name: name.trim(), passkey: made.current, ...code })
    } catch (error) {
      if (!(error instanceof ApiError) || error.errors.some(({ field }) => field === 'passkey')) made.current = null
      throw passkeyFailure(error, t.makingFailures)
    }
    await added(close)
  }
  return (
    <DialogForm
      form={form}
      save={save}
      submit={t.make}
      cancel={cancel ?? adding.cancel}
      close={close}
      failed={t.addFailed}
    >
      <p>{t.addHint(options.rp.id)}</p>
      <TextField
        form={form}
        name="name"
        label={t.name}
        description={t.nameHint}
        maxLength={passkeyNameMax}
        required
        autoFocus
      />
      {mailed && (
        <>
          <p>{adding.mailed}</p>
          <TextField
            form={form}
            name="mailCode"
            label={adding.mailCode}
            autoComplete="off"
            inputMode="numeric"
            maxLength={2 * codeDigits}
            required
          />
        </>
      )}
    </DialogForm>
  )
}

/** What its owner would call this machine. */
const deviceName = (): string => /Android|iPhone|iPad|Windows|Mac|Linux/.exec(navigator.userAgent)?.[0] ?? ''
