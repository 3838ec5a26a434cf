import layout from '../../components/form/Form.module.css'
import { messages } from '@ghanti/contract/messages.ts'
import { planRoutes } from '@ghanti/contract/plans.ts'
import { nepalDayOf } from '@ghanti/contract/time.ts'
import { userTypes } from '@ghanti/contract/users.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { jsonQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { DateField } from '../../components/dates/DateField.tsx'
import { CheckboxField } from '../../components/form/CheckboxField.tsx'
import type { Form } from '../../components/form/field.ts'
import { SelectField } from '../../components/form/select/SelectField.tsx'
import { TextField } from '../../components/form/TextField.tsx'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { useFormat } from '../../i18n/format.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import { ChannelsField } from './ChannelsField.tsx'
import { FirstFields } from './FirstFields.tsx'
import type { UserDetail, UserValues } from './user-form.ts'
import classes from './Users.module.css'

export default function Terms({ form, user }: { form: Form<UserValues>; user: UserDetail | null }) {
  const t = useTexts('users')
  const format = useFormat()
  const { accountTypes, form: words } = useTexts('common')
  const { userId, role, accountType } = useSession()
  const isBelow = user !== null && !user.isChild
  const giverId = isBelow ? (user.parentId ?? userId) : userId
  const choices = useQuery(jsonQuery(planRoutes.choices, { userId: giverId }))
  const plans = choices.data?.map((plan) => ({ value: String(plan.planId), label: plan.planName }))
  const kept = user?.planId && plans && !plans.some(({ value }) => value === String(user.planId)) ? user : null
  const types = [0, 1].filter((type) => role === 'superAdmin' || type === accountType || type === user?.accountType)
  return (
    <div className={layout.group}>
      <h2>{t.sections.service}</h2>
      <SelectField
        form={form}
        name="planId"
        label={t.fields.planId}
        required={user === null}
        data={kept ? [{ value: String(kept.planId), label: kept.planName ?? '' }, ...(plans ?? [])] : plans}
        emptyText={user === null ? serverText(messages.noPlanFound) : t.noPlan}
        loadError={choices.error && !choices.data ? failureTexts(choices.error).message : undefined}
      />
      <SelectField
        form={form}
        name="userType"
        label={t.fields.userType}
        required
        data={userTypes.map((value) => ({ value, label: t.userTypes[value] }))}
        emptyText={words.nothingFound}
      />
      <SelectField
        form={form}
        name="accountType"
        label={t.fields.accountType}
        required
        data={types.map((type) => ({ value: String(type), label: accountTypes[type] ?? '' }))}
        emptyText={words.nothingFound}
      />
      <Expiry form={form} required={user !== null} />
      <ChannelsField form={form} giverId={giverId} giver={isBelow ? user.parentUser : null} user={user} />
      {user && user.recordingDaysMax !== null && (
        <TextField
          form={form}
          name="recordingDays"
          label={t.fields.recordingDays}
          description={t.recordingDaysHint(format.count(user.recordingDaysMax))}
          inputMode="numeric"
        />
      )}
      {user === null && <FirstFields form={form} />}
    </div>
  )
}

/** An update asks for a day or for 'never', so that an account without a day does not get one by the way. */
function Expiry({ form, required }: { form: Form<UserValues>; required: boolean }) {
  const { fields } = useTexts('users')
  const [today] = useState(() => nepalDayOf(new Date()))
  const [isNever, setNever] = useState(required && form.getValues().neverExpires)
  form.watch('neverExpires', ({ value }) => setNever(value))
  return (
    <div className={classes.expiry}>
      {!isNever && (
        <DateField
          form={form}
          name="expiryDate"
          label={fields.expiryDate}
          description={required ? fields.expiryHint : `${fields.expiryHint} ${fields.neverHint}`}
          required={required}
          empty=""
          min={today}
        />
      )}
      {required && <CheckboxField form={form} name="neverExpires" label={fields.neverExpires} />}
    </div>
  )
}
