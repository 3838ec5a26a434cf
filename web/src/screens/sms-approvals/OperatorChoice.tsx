import { everyOperator } from '@ghanti/contract/operators.ts'
import { CheckboxField } from '../../components/form/CheckboxField.tsx'
import type { Form } from '../../components/form/field.ts'
import { fieldText } from '../../components/ui/failures/failure-texts.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Approvals.module.css'

type Operator = (typeof everyOperator)[number]
export type OperatorValues = Record<Operator, boolean>

const noOperators: OperatorValues = { ntc: false, ncell: false, smart: false, other: false }
export const allOperators: OperatorValues = { ntc: true, ncell: true, smart: true, other: true }
export const valuesOfOperators = (operators: readonly Operator[]): OperatorValues => ({
  ...noOperators,
  ...Object.fromEntries(operators.map((operator) => [operator, true])),
})
export const chosenOperators = (values: OperatorValues): Operator[] =>
  everyOperator.filter((operator) => values[operator])
/** The error stands at the first box; none when one is chosen. */
export const operatorsMissing = (values: OperatorValues): { ntc: string } | Record<never, never> =>
  chosenOperators(values).length > 0 ? {} : { ntc: 'is required' }

export function OperatorChoice<Values extends OperatorValues>({ form, label }: { form: Form<Values>; label: string }) {
  const t = useTexts('smsApprovals')
  const error: unknown = form.errors['ntc']
  const errorId = `${label}-error`
  return (
    <fieldset className={classes.operators} aria-describedby={typeof error === 'string' ? errorId : undefined}>
      <legend>{label}</legend>
      {everyOperator.map((operator) => (
        <CheckboxField key={operator} form={withoutError(form)} name={operator} label={t.operators[operator]} />
      ))}
      {typeof error === 'string' && (
        <p id={errorId} className={classes.bad} role="alert">
          {fieldText(label, error)}
        </p>
      )}
    </fieldset>
  )
}

/** The error belongs to the choice, not to its first box. */
function withoutError<Values>(form: Form<Values>): Form<Values> {
  const getInputProps: Form<Values>['getInputProps'] = (path, options) => ({
    ...form.getInputProps(path, options),
    error: undefined,
  })
  return { ...form, getInputProps }
}
