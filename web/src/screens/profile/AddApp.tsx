import { codeDigits, factorRoutes } from '@ghanti/contract/factors.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { useForm } from '@mantine/form'
import { useMemo } from 'react'
import { encode } from 'uqr'
import { call } from '../../api/client.ts'
import { DialogForm } from '../../components/form/DialogForm.tsx'
import { TextField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'
import classes from './Factors.module.css'

type AddAppProps = {
  begun: ReplyOf<typeof factorRoutes.beginTotp>
  added: (close: () => void) => Promise<void>
  close: () => void
  /** What leads away without one. */
  cancel?: string
}

/** Shows the secret this one time, and asks for a code that was made with it. */
export function AddApp({ begun: { token, secret, uri, mailed }, added, close, cancel }: AddAppProps) {
  const { adding: t, failed } = useTexts('factors')
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: '', mailCode: '', token: '' } })
  const save = async ({ code, mailCode }: { code: string; mailCode: string }) => {
    await call(factorRoutes.addTotp, { token, code: code.trim(), ...(mailed && { mailCode: mailCode.trim() }) })
    await added(close)
  }
  const digits = { inputMode: 'numeric', maxLength: 2 * codeDigits, required: true } as const
  return (
    <DialogForm form={form} save={save} submit={t.submit} cancel={cancel ?? t.cancel} close={close} failed={failed}>
      <p>{t.scan}</p>
      <QrCode text={uri} label={t.qr} />
      <p>{t.type}</p>
      <code className={classes.secret} translate="no">
        {secret.match(/.{1,4}/g)?.join(' ')}
      </code>
      <TextField form={form} name="code" label={t.code} autoComplete="one-time-code" autoFocus {...digits} />
      {mailed && (
        <>
          <p>{t.mailed}</p>
          <TextField form={form} name="mailCode" label={t.mailCode} autoComplete="off" {...digits} />
        </>
      )}
    </DialogForm>
  )
}

/** Black on white in dark colours, too: cameras read nothing else for sure. Around it the four modules that the standard asks for. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = useMemo(() => encode(text, { border: 4 }), [text])
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  )
}
