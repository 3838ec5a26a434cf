import { Button } from '@mantine/core'
import { useEffect, useId, useRef } from 'react'
import { basePath } from '../../api/base.ts'
import { useCopy } from '../../components/ui/use-copy.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { typedPaisa } from '../credits/recharge-form.ts'
import classes from './Users.module.css'
import { setWelcome, type Welcome } from './welcome.ts'

/** What the owner of a new account needs, to be sent by whatever way its parent has. Gone with the screen. */
export default function WelcomeText({ welcome }: { welcome: Welcome }) {
  const t = useTexts('welcome')
  const format = useFormat()
  const id = useId()
  const shown = useRef<HTMLPreElement>(null)
  useEffect(() => {
    return () => setWelcome(null)
  }, [])
  const { invite, emailid, password, cliShown } = welcome
  const [name, username] = [welcome.name.trim(), welcome.username.trim()]
  const paisa = typedPaisa(welcome.credits)
  const lines = [
    t.greeting(name),
    '',
    t.address(`${location.origin}${basePath}/`),
    t.username(username),
    invite ? t.invited(emailid.trim()) : t.password(password),
    ...(paisa === null ? [] : [t.credits(format.rupees(paisa / 100))]),
    ...(cliShown === '' ? [] : [t.cli(cliShown)]),
  ]
  const text = lines.join('\n')
  const { copied, copy } = useCopy(text, shown)
  return (
    <section className={classes.welcome} aria-labelledby={id}>
      <h2 id={id}>{invite ? t.titleInvited(emailid.trim()) : t.title(username)}</h2>
      <p>{invite ? t.hintInvited : t.hint}</p>
      <pre ref={shown} tabIndex={0} aria-label={t.text}>
        {text}
      </pre>
      <div className={classes.buttons}>
        <span role="status" className={classes.dim}>
          {copied === null ? '' : copied ? t.copied : t.notCopied}
        </span>
        <Button variant="default" onClick={() => setWelcome(null)}>
          {t.close}
        </Button>
        <Button onClick={() => void copy()}>{t.copy}</Button>
      </div>
    </section>
  )
}
