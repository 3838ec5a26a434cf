import type { ComposeForm, FormOfCompose } from './form.ts'

/** The value of a field that others depend on; only the calling component renders again when it changes. */
export function useWatched<Name extends keyof ComposeForm>(form: FormOfCompose, name: Name): ComposeForm[Name] {
  // oxlint-disable-next-line react/hooks -- the form's own hook is the same in every render
  return form.useWatchValue(name)
}
