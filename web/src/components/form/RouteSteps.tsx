import { routeStepsMax } from '@ghanti/contract/route-steps.ts'
import { Button, type ComboboxItem } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { fieldText } from '../ui/failures/failure-texts.ts'
import { useFormat } from '../../i18n/format.ts'
import { wholeNumber, type Form } from './field.ts'
import layout from './Form.module.css'
import { blankStep, type StepsValues, type StepValues } from './route-steps.ts'
import classes from './RouteSteps.module.css'
import { MultiSelectField } from './select/MultiSelectField.tsx'
import { SelectField } from './select/SelectField.tsx'
import { TextField } from './TextField.tsx'

type Texts = {
  heading: string
  hint: string
  target: string
  priority: string
  weight: string
  /** Left out: steps have no cost, and take numbers of all operators. */
  cost?: string
  operators?: string
  stepTitle: (number: string) => string
  add: string
  remove: (number: string) => string
}
type Choices = { data: ComboboxItem[] | undefined; emptyText: string; loadError: string | undefined }
type Props<Other> = {
  form: Form<Other & StepsValues>
  texts: Texts
  choices: Choices
  /** The operators whose numbers a step may carry. */
  operators?: ComboboxItem[]
  onAdd: (step: StepValues) => void
  onRemove: (index: number) => void
}

export function RouteSteps<Other>(props: Props<Other>) {
  const { form, texts, onAdd } = props
  const { steps } = form.getValues()
  const error: unknown = form.errors['steps']
  return (
    <div className={layout.fields}>
      <h3 className={layout.heading}>{texts.heading}</h3>
      <p className={layout.hint}>{texts.hint}</p>
      {steps.map((_, index) => (
        <Step key={form.key(`steps.${index}`)} {...props} index={index} isOnly={steps.length === 1} />
      ))}
      {typeof error === 'string' && (
        <p className={classes.bad} role="alert">
          {fieldText(texts.heading, error)}
        </p>
      )}
      {steps.length < routeStepsMax && (
        <div>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => onAdd({ ...blankStep, priority: String(steps.length + 1) })}
          >
            {texts.add}
          </Button>
        </div>
      )}
    </div>
  )
}

function Step<Other>({
  form,
  texts,
  choices,
  operators,
  onRemove,
  index,
  isOnly,
}: Props<Other> & { index: number; isOnly: boolean }) {
  const format = useFormat()
  const number = format.count(index + 1)
  return (
    <fieldset className={texts.cost === undefined ? classes.step : `${classes.step} ${classes.priced}`}>
      <legend>{texts.stepTitle(number)}</legend>
      <SelectField form={form} name={`steps.${index}.target`} label={texts.target} required {...choices} />
      <TextField form={form} name={`steps.${index}.priority`} label={texts.priority} required {...wholeNumber} />
      <TextField form={form} name={`steps.${index}.weight`} label={texts.weight} required {...wholeNumber} />
      {texts.cost !== undefined && (
        <TextField form={form} name={`steps.${index}.cost`} label={texts.cost} required {...wholeNumber} />
      )}
      {!isOnly && (
        <Button variant="default" aria-label={texts.remove(number)} onClick={() => onRemove(index)}>
          <IconX size={16} stroke={1.7} aria-hidden />
        </Button>
      )}
      {texts.operators !== undefined && (
        <div className={classes.wide}>
          <MultiSelectField
            form={form}
            name={`steps.${index}.operators`}
            label={texts.operators}
            data={operators}
            emptyText=""
          />
        </div>
      )}
    </fieldset>
  )
}
