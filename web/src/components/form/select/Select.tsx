import { TextInput, type MultiSelectProps, type SelectProps } from '@mantine/core'
import { Suspense } from 'react'
import { late } from '../../ui/loading/late.tsx'

// A list that opens is a quarter of a form's code. It comes while the rest of the form is drawn, and has its place there.
const LoadedSelect = late(() => import('./LoadedSelect.tsx'))
const LoadedMultiSelect = late(() => import('./LoadedMultiSelect.tsx'))

/** Mantine's, with its place taken until it has loaded. */
export function Select(props: SelectProps) {
  return (
    <Suspense fallback={<Waiting {...props} />}>
      <LoadedSelect {...props} />
    </Suspense>
  )
}

export function MultiSelect(props: MultiSelectProps) {
  return (
    <Suspense fallback={<Waiting {...props} />}>
      <LoadedMultiSelect {...props} />
    </Suspense>
  )
}

type Shown = Pick<SelectProps, 'label' | 'description' | 'error' | 'withAsterisk' | 'placeholder'>

function Waiting({ label, description, error, withAsterisk = false, placeholder = '' }: Shown) {
  return <TextInput {...{ label, description, error, withAsterisk, placeholder }} disabled />
}

/** Called by forms when their code is there, before they are drawn. */
void LoadedSelect.preload()
