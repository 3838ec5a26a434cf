import { userRoutes } from '@ghanti/contract/users.ts'
import { plainNumber } from '@ghanti/contract/written-number.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { jsonQuery } from '../../api/query.ts'
import { wholeNumber, type Form } from '../../components/form/field.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Users.module.css'

type ChannelsFieldProps<Values> = {
  form: Form<Values>
  /** The account that gives the channels; passed in, because dialogs do not know the session. */
  giverId: number
  /** The giver's name, when a super admin acts in its stead. */
  giver: string | null
  /** Null: an account that is being created. */
  user: { userId: number; channels: number | null } | null
  autoFocus?: boolean
}

/** An account's concurrent calls. Shows the limits before sending: at most what the parent has left, at least what those below hold. */
export function ChannelsField<Values extends { channels: string }>({
  form,
  giverId,
  giver,
  user,
  autoFocus,
}: ChannelsFieldProps<Values>) {
  const t = useTexts('users')
  const format = useFormat()
  const { data: own } = useQuery(jsonQuery(userRoutes.channels, { userId: giverId }))
  const { data: account } = useQuery({
    ...jsonQuery(userRoutes.channels, { userId: user?.userId ?? giverId }),
    enabled: user !== null,
  })
  const has = user === null ? 0 : (account?.channels ?? user.channels ?? 0)
  const held = user === null ? 0 : (account?.userChannels ?? 0)
  const free = own?.free ?? null
  const said = [
    ...(user === null ? [] : [t.channels.now(format.count(has))]),
    ...(held > 0 ? [t.channels.held(format.count(held))] : []),
    ...(free === null ? [] : [t.channels.free(format.count(free), format.count(own?.channels ?? 0), giver)]),
  ]
  return (
    <div className={classes.channels}>
      <TextField
        form={form}
        name="channels"
        label={t.fields.channels}
        description={said.length === 0 ? t.channels.meaning : said.join(' ')}
        required
        autoFocus={autoFocus ?? false}
        {...wholeNumber}
      />
      <Limit form={form} most={free === null ? null : free + has} least={held} />
    </div>
  )
}

type LimitProps<Values> = { form: Form<Values>; most: number | null; least: number }

/** Why the typed number would be refused, and the nearest one that would not. */
function Limit<Values extends { channels: string }>({ form, most, least }: LimitProps<Values>) {
  const { channels: t } = useTexts('users')
  const format = useFormat()
  const [typed, setTyped] = useState(form.getValues().channels)
  form.watch('channels', ({ value }) => setTyped(String(value)))
  const wanted = typed.trim() === '' ? null : Number(plainNumber(typed.trim()))
  const tooMany = wanted !== null && most !== null && wanted > most
  const tooFew = wanted !== null && wanted < least
  if (!tooMany && !tooFew) return null
  const nearest = tooMany ? most : least
  if (nearest === 0) return <p className={`${classes.limit} ${classes.bad}`}>{t.none}</p>
  return (
    <p className={classes.limit} role="status">
      <span className={classes.bad}>{tooMany ? t.most(format.count(nearest)) : t.least(format.count(nearest))}</span>
      <Button
        variant="default"
        size="compact-sm"
        onClick={() => form.setValues({ channels: String(nearest) } as Partial<Values>)}
      >
        {t.take(format.count(nearest))}
      </Button>
    </p>
  )
}
