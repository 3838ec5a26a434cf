import { TextInput, type MultiSelectProps, type SelectProps } from '@mantine/core'
import { Suspense } from 'react'
import { late } from '../../ui/loading/late.tsx'

// The drop-down list is a quarter of a form's code. It loads while the rest of the form is drawn, with its space reserved.
const LoadedSelect = late(() => import('./LoadedSelect.tsx'))
const LoadedMultiSelect = late(() => import('./LoadedMultiSelect.tsx'))

/** Mantine's Select, with its space reserved until it has loaded. */
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

/** Forms call this when their code has loaded, before they are drawn. */
void LoadedSelect.preload()
