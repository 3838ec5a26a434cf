import layout from '../../components/form/Form.module.css'
import { ownValue } from '@ghanti/contract/own-values.ts'
import { planRoutes } from '@ghanti/contract/plans.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { Suspense, type ReactNode } from 'react'
import { Link } from 'react-router'
import { jsonQuery } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { ErrorSummary } from '../../components/form/ErrorSummary.tsx'
import type { Form } from '../../components/form/field.ts'
import { saving } from '../../components/form/server-errors.ts'
import { TextField } from '../../components/form/TextField.tsx'
import { useTexts } from '../../i18n/language.ts'
import { createRules, personFields, updateRules, type UserDetail, type UserValues } from './user-form.ts'
import classes from './Users.module.css'
import { late } from '../../components/ui/loading/late.tsx'

// Their controls are large, so the other fields do not wait for them.
const Terms = late(() => import('./Terms.tsx'))
const BrandFields = late(() => import('./BrandFields.tsx'))

type UserFormProps = {
  initial: UserValues
  /** Null while it is being created. */
  user: UserDetail | null
  submit: string
  /** Fields of creation only: name and password. */
  children?: (form: Form<UserValues>) => ReactNode
  /** Rejects with the server's error. */
  onSave: (values: UserValues) => Promise<unknown>
}

/** For creation and update. The server decides; its errors stand at their fields (specification 2 §5). */
export function UserForm({ initial, user, submit, children, onSave }: UserFormProps) {
  const { fields, sections, cancel } = useTexts('users')
  const form = useForm<UserValues>({
    mode: 'uncontrolled',
    initialValues: initial,
    validate: user ? updateRules(initial) : createRules,
  })
  const save = saving(form, onSave, { labels: { ...fields, 'clis.0': fields.clis }, failure: true })
  return (
    <form className={layout.form} onSubmit={save} noValidate>
      {user === null && <NoPlan />}
      {children?.(form)}
      <div className={layout.group}>
        <h2>{sections.company}</h2>
        {personFields.map(([name, looks]) => (
          <TextField key={name} form={form} name={name} label={fields[name]} required autoComplete="off" {...looks} />
        ))}
        <Suspense fallback={<div className={classes.brand} aria-busy />}>
          <BrandFields form={form} isUpdate={user !== null} />
        </Suspense>
      </div>
      <Suspense fallback={<div className={classes.terms} aria-busy />}>
        <Terms form={form} user={user} />
      </Suspense>
      <ErrorSummary form={form} labels={inOrder(fields)} />
      <div className={classes.buttons}>
        <Button variant="default" component={Link} to="/user-list">
          {cancel}
        </Button>
        <Button type="submit" loading={form.submitting}>
          {submit}
        </Button>
      </div>
    </form>
  )
}

const first: readonly string[] = [
  'username',
  'password',
  'confirm',
  ...personFields.map(([name]) => name),
  'logo',
  'domain',
]

/** As the form shows them. */
function inOrder(fields: Readonly<Record<string, string>>): Record<string, string> {
  const names = [...first, ...Object.keys(fields)]
  return Object.fromEntries(names.map((name) => [name, ownValue(fields, name) ?? name]))
}

/** Shown before anybody fills in a form that cannot be sent. */
function NoPlan() {
  const t = useTexts('users')
  const { userId } = useSession()
  const choices = useQuery(jsonQuery(planRoutes.choices, { userId }))
  if (choices.data?.length !== 0) return null
  return (
    <p className={classes.noPlan} role="status">
      {t.noPlanToGive} <Link to="/voice-plans">{t.plans}</Link>
    </p>
  )
}
