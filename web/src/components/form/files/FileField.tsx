import { Input } from '@mantine/core'
import { IconFile, IconUpload, IconX } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { useField, type FieldProps } from '../field.ts'
import { fileProblem } from './file-problem.ts'
import { useKeepPage } from '../keep-page.ts'
import classes from './FileField.module.css'

type FileFieldProps<Values> = FieldProps<Values> & {
  /** What the browser's dialog offers and the field accepts: '.wav,audio/wav'. The server checks the content. */
  accept: string
  maxBytes: number
  /** Also called with null whenever the file is cleared. */
  onPick?: (file: File | null) => void
}

/**
 * A file input that also accepts drops; the form's value is a File or null. A file of another type or above the size limit is refused at once with
 * the catalogue's text (specification 1 §5, specification 2 §5).
 */
export function FileField<Values>(props: FileFieldProps<Values>) {
  const { form, name, accept, maxBytes, onPick } = props
  const { form: texts } = useTexts('common')
  const format = useFormat()
  const { key, props: field } = useField(props)
  const { onChange, defaultValue, value: _, onFocus: _f, onBlur, 'aria-required': _r, ...wrapper } = field
  const [file, setFile] = useState<File | null>(defaultValue instanceof File ? defaultValue : null)
  const [over, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()

  // Also when the value is cleared elsewhere: a file that the server cannot read leaves the field.
  form.watch(name, ({ value }) => {
    if (value !== null) return
    setFile(null)
    onPick?.(null)
  })
  useKeepPage()
  useEffect(() => {
    if (file === null && input.current) input.current.value = ''
  }, [file])

  const refuse = (problem: string) => {
    if (input.current) input.current.value = ''
    onChange(null)
    setFile(null)
    form.setFieldError(name, problem)
  }
  const pick = (picked: File | null) => {
    const problem = picked && fileProblem(picked, accept, maxBytes)
    if (problem !== null) return refuse(problem)
    onChange(picked)
    setFile(picked)
    if (picked) onPick?.(picked)
  }

  return (
    <Input.Wrapper
      key={key}
      id={id}
      {...wrapper}
      data-path={undefined} // belongs on the input, where errors set the focus
      errorProps={{ id: `${id}-error` }}
      descriptionProps={{ id: `${id}-help` }}
    >
      <div
        className={classes.drop}
        data-over={over || undefined}
        data-error={Boolean(wrapper.error) || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          const { files } = event.dataTransfer
          if (wrapper.disabled || files.length === 0) return
          if (files.length === 1) pick(files[0] ?? null)
          else refuse(texts.oneFile)
        }}
      >
        <input
          ref={input}
          id={id}
          type="file"
          name={name}
          accept={accept}
          disabled={wrapper.disabled}
          className={classes.input}
          data-path={name}
          aria-invalid={Boolean(wrapper.error)}
          aria-describedby={[wrapper.description && `${id}-help`, wrapper.error && `${id}-error`]
            .filter(Boolean)
            .join(' ')}
          onBlur={onBlur}
          onChange={(event) => pick(event.currentTarget.files?.[0] ?? null)}
        />
        {file ? <IconFile size={18} stroke={1.6} aria-hidden /> : <IconUpload size={18} stroke={1.6} aria-hidden />}
        <span className={classes.name}>{file ? `${file.name} · ${format.size(file.size)}` : texts.chooseFile}</span>
        {file && (
          <button type="button" className={classes.remove} aria-label={texts.removeFile} onClick={() => pick(null)}>
            <IconX size={16} aria-hidden />
          </button>
        )}
      </div>
    </Input.Wrapper>
  )
}
