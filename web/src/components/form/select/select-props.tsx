import { Loader, type ComboboxData } from '@mantine/core'
import { useTexts } from '../../../i18n/language.ts'
import { useField, type FieldProps } from '../field.ts'

export type SelectFieldProps<Values> = FieldProps<Values> & {
  /** Undefined while loading. Values are strings. */
  data: ComboboxData | undefined
  /** The catalogue's text for a list that is empty or could not be loaded (specification 2 §8): form.noIdFound, form.noFiles. */
  emptyText: string
  placeholder?: string
  searchable?: boolean
  clearable?: boolean
  /** Why the data could not be loaded. The caller handles the field's Retry. */
  loadError?: string | undefined
}

/** Options without labels are codes, like keys of the telephone. */
const code = { translate: 'no' }

export function useSelect<Values>(props: SelectFieldProps<Values>) {
  const { form: texts } = useTexts('common')
  const { key, props: input } = useField(props)
  const { data, emptyText, placeholder = '', loadError } = props
  const isOfCodes = data?.some((option) => typeof option === 'string')
  const searchable = props.searchable ?? (data?.length ?? 0) > 8
  const empty = data?.length === 0 || (data === undefined && loadError !== undefined)
  return {
    key,
    props: {
      ...input,
      error: input.error ?? loadError,
      data: data ?? [],
      placeholder: empty ? emptyText : data ? placeholder : texts.loading,
      nothingFoundMessage: empty ? emptyText : texts.nothingFound,
      rightSection: data || loadError ? undefined : <Loader size={14} />,
      searchable,
      clearable: props.clearable ?? false,
      // The list changes height only while the reader types. Repositioning it then would cost two more layout passes when it opens.
      comboboxProps: { keepMounted: false, preventPositionChangeWhenVisible: searchable },
      ...(isOfCodes && { attributes: { pill: code, option: code } }),
    },
  }
}
