import { useForm } from '@mantine/form'
import { useEffect, useState } from 'react'
import { ApiError } from '../api/error.ts'
import { AccountField } from '../components/form/AccountField.tsx'
import { CheckboxField } from '../components/form/CheckboxField.tsx'
import { DialogForm } from '../components/form/DialogForm.tsx'
import { ErrorSummary } from '../components/form/ErrorSummary.tsx'
import { FileField } from '../components/form/files/FileField.tsx'
import layout from '../components/form/Form.module.css'
import { MultiSelectField } from '../components/form/select/MultiSelectField.tsx'
import { NewPasswordField } from '../components/form/passwords/NewPasswordField.tsx'
import { PasswordField } from '../components/form/passwords/PasswordField.tsx'
import { Segments } from '../components/form/Segments.tsx'
import { blankStep } from '../components/form/route-steps.ts'
import { RouteSteps } from '../components/form/RouteSteps.tsx'
import { SelectField } from '../components/form/select/SelectField.tsx'
import { TextAreaField, TextField } from '../components/form/TextField.tsx'
import { TypedRow } from '../components/form/typed/TypedRow.tsx'
import { Part } from './Part.tsx'

const initialValues = {
  name: '',
  given: 'Himal Bank',
  wrong: 'x',
  fixed: 'unchangeable',
  note: '',
  password: '',
  fresh: '',
  plan: null as string | null,
  none: null as string | null,
  keys: [] as string[],
  agreed: false,
  file: null as File | null,
  refused: true,
  closed: true,
  account: null as string | null,
  wrongKeys: [] as string[],
  noteWrong: '',
  lost: null as File | null,
  steps: [blankStep, { target: 'Minute', priority: '2', weight: '1', cost: '0', operators: [] }],
}
const plans = ['Half minute', 'Minute'].map((label) => ({ value: label, label }))
const keys = ['1', '2', '3'].map((key) => ({ value: key, label: key }))
const none = 'None found'
const ways = [
  { value: 'paste', label: 'Paste' },
  { value: 'upload', label: 'Upload' },
] as const

export function Fields() {
  const form = useForm({ mode: 'uncontrolled', initialValues })
  const [way, setWay] = useState<'paste' | 'upload'>('paste')
  const { setFieldError } = form
  useEffect(() => {
    for (const name of ['wrong', 'noteWrong', 'refused', 'wrongKeys']) setFieldError(name, 'is required')
    setFieldError('lost', 'image/png is not a supported format')
  }, [setFieldError])
  return (
    <Part title="Fields">
      <form className={layout.form} noValidate onSubmit={(event) => event.preventDefault()}>
        <TextField form={form} name="name" label="Name" description="Help stands below." required />
        <TextField form={form} name="given" label="Given" />
        <TextField form={form} name="wrong" label="Wrong" description="Help and error." />
        <TextField form={form} name="fixed" label="Disabled" disabled />
        <TextAreaField form={form} name="note" label="Note" />
        <TextAreaField form={form} name="noteWrong" label="Wrong note" required />
        <PasswordField form={form} name="password" label="Password" autoComplete="off" />
        <NewPasswordField form={form} name="fresh" label="New password" names={() => ({})} />
        <SelectField form={form} name="plan" label="Plan" data={plans} emptyText={none} />
        <SelectField form={form} name="none" label="Nothing to choose" data={[]} emptyText={none} />
        <SelectField form={form} name="none" label="Loads" data={undefined} emptyText={none} />
        <SelectField
          form={form}
          name="none"
          label="Could not be read"
          data={undefined}
          emptyText={none}
          loadError="The server cannot be reached"
        />
        <TypedRow
          form={form}
          name="none"
          field={{ kind: 'choice', options: ['udp', 'tls'] }}
          label="Of a list of fields"
          hint={undefined}
        />
        <AccountField form={form} name="account" label="Account" />
        <MultiSelectField form={form} name="keys" label="Keys" data={keys} emptyText={none} />
        <MultiSelectField form={form} name="wrongKeys" label="Wrong keys" data={keys} emptyText={none} required />
        <CheckboxField form={form} name="agreed" label="Register" description="Help stands below." />
        <CheckboxField form={form} name="refused" label="Wrong box" />
        <CheckboxField form={form} name="closed" label="Disabled box" disabled />
        <FileField form={form} name="file" label="File" accept=".wav,audio/wav" maxBytes={1024} />
        <FileField form={form} name="lost" label="Refused file" accept=".wav,audio/wav" maxBytes={1024} required />
        <div>
          <Segments label="Way" value={way} onChange={setWay} data={ways} />
          <Segments label="Fixed way" value={way} onChange={setWay} data={ways} disabled />
        </div>
        <RouteSteps
          form={form}
          texts={{
            heading: 'Steps',
            hint: 'What carries the work, in order.',
            target: 'Plan',
            priority: 'Order',
            weight: 'Weight',
            stepTitle: (number) => `Step ${number}`,
            add: 'Add a Step',
            remove: (number) => `Remove step ${number}`,
          }}
          choices={{ data: plans, emptyText: none, loadError: undefined }}
          onAdd={(step) => form.insertListItem('steps', step)}
          onRemove={(index) => form.removeListItem('steps', index)}
        />
      </form>
      <Refused />
    </Part>
  )
}

function Refused() {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { renamed: '' },
    initialErrors: { renamed: 'is required' },
  })
  const save = () => Promise.reject(new ApiError(409, 'Request Failed!! Please try again'))
  return (
    <DialogForm form={form} save={save} submit="RENAME" cancel="CANCEL" close={form.reset} failed="It was not renamed.">
      <TextField form={form} name="renamed" label="New name" />
      <ErrorSummary form={form} labels={{ renamed: 'New name' }} />
    </DialogForm>
  )
}
