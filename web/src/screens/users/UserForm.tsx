import { planRoutes } from '@ghanti/contract/plans.ts'
import { userTypes } from '@ghanti/contract/users.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { jsonQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import type { Form } from '../../components/form/field.ts'
import { SelectField } from '../../components/form/SelectField.tsx'
import { focusInvalid, placeErrors } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { showFailure } from '../../components/ui/dialogs.ts'
import { failureTexts } from '../../components/ui/failure-texts.ts'
import { useBikramSambat } from '../../components/ui/NepalTime.tsx'
import { useTexts } from '../../i18n/language.ts'
import { createRules, updateRules, type UserDetail, type UserValues } from './user-form.ts'
import classes from './Users.module.css'

// Few accounts have a brand: the other fields need not wait for it.
const BrandFields = lazy(() => import('./BrandFields.tsx'))

type UserFormProps = {
  initial: UserValues
  /** Null: it is being created. */
  user: UserDetail | null
  submit: string
  /** What only creation asks for: name and password. */
  children?: (form: Form<UserValues>) => ReactNode
  /** Rejects with what the server says; resolves when it is done. */
  onSave: (values: UserValues) => Promise<unknown>
}

/** Creation and update share most fields; the server decides, its refusals stand at their fields (spec 2 §5). */
export function UserForm({ initial, user, submit, children, onSave }: UserFormProps) {
  const { fields, cancel } = useTexts('users')
  const form = useForm<UserValues>({
    mode: 'uncontrolled',
    initialValues: initial,
    validate: user ? updateRules : createRules,
  })
  const save = form.onSubmit(async (values) => {
    try {
      await onSave(values)
    } catch (error) {
      placeErrors(form, error)
      requestAnimationFrame(() => showFailure(error, fields))
    }
  }, focusInvalid(form))
  const typed = { required: true, maxLength: 100, autoComplete: 'off' } as const
  return (
    <form className={classes.page} onSubmit={save} noValidate>
      {children?.(form)}
      <div className={classes.pair}>
        <TextField form={form} name="name" label={fields.name} {...typed} />
        <TextField form={form} name="company" label={fields.company} {...typed} />
        <TextField form={form} name="emailid" label={fields.emailid} {...typed} type="email" maxLength={254} />
        <TextField form={form} name="number" label={fields.number} {...typed} inputMode="tel" maxLength={40} />
        <TextField form={form} name="address" label={fields.address} {...typed} maxLength={500} />
        <TextField form={form} name="pincode" label={fields.pincode} {...typed} maxLength={20} />
      </div>
      <Terms form={form} user={user} />
      <div className={classes.pair}>
        <Suspense fallback={<div className={classes.brand} aria-busy />}>
          <BrandFields form={form} isUpdate={user !== null} />
        </Suspense>
      </div>
      <div className={classes.pageButtons}>
        <Button type="submit" loading={form.submitting}>
          {submit}
        </Button>
        <Button variant="default" component={Link} to="/user-list">
          {cancel}
        </Button>
      </div>
    </form>
  )
}

/** What the account may do: plan, kind, channels, until when. */
function Terms({ form, user }: { form: Form<UserValues>; user: UserDetail | null }) {
  const t = useTexts('users')
  const { accountTypes, form: words } = useTexts('common')
  const { userId, role, accountType } = useSession()
  const choices = useQuery(jsonQuery(planRoutes.choices, { userId }))
  const plans = choices.data?.map((plan) => ({ value: String(plan.planId), label: plan.planName }))
  const kept = user?.planId && plans && !plans.some(({ value }) => value === String(user.planId)) ? user : null
  const types = [0, 1].filter((type) => role === 'superAdmin' || type === accountType || type === user?.accountType)
  return (
    <div className={classes.pair}>
      <SelectField
        form={form}
        name="planId"
        label={t.fields.planId}
        required={user === null}
        data={kept ? [{ value: String(kept.planId), label: kept.planName ?? '' }, ...(plans ?? [])] : plans}
        emptyText={t.noPlan}
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
      {user && (
        <TextField
          form={form}
          name="channels"
          label={t.fields.channels}
          required
          inputMode="numeric"
          maxLength={6}
          autoComplete="off"
        />
      )}
    </div>
  )
}

function Expiry({ form, required }: { form: Form<UserValues>; required: boolean }) {
  const t = useTexts('users')
  const { time } = useTexts('common')
  const [day, setDay] = useState(form.getInitialValues().expiryDate)
  form.watch('expiryDate', ({ value }) => setDay(value))
  const bikramSambat = useBikramSambat(day, day !== '')
  const said = bikramSambat === null ? t.fields.expiryHint : `${t.fields.expiryHint} ${time.bikramSambat(bikramSambat)}`
  return (
    <TextField
      form={form}
      name="expiryDate"
      label={t.fields.expiryDate}
      description={required || day ? said : `${said} ${t.fields.neverHint}`}
      required={required}
      type="date"
    />
  )
}
