import { useForm } from '@mantine/form'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { setLanguage } from '../../i18n/language.ts'
import { expectAccessible, renderApp } from '../../testing/render-app.tsx'
import { ErrorSummary } from './ErrorSummary.tsx'
import { TextField } from './TextField.tsx'

const opened = vi.fn<(name: string) => void>()

function Sample() {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: '', wait: '' },
    validate: { name: (text) => (text ? null : 'is required'), wait: (text) => (text ? null : 'is required') },
  })
  return (
    <form onSubmit={form.onSubmit(() => undefined)} noValidate>
      <TextField form={form} name="name" label="Name" />
      <details>
        <summary>More</summary>
        <TextField form={form} name="wait" label="Wait" />
      </details>
      <ErrorSummary form={form} labels={{ name: 'Name', wait: 'Wait' }} onOpen={opened} />
      <button type="submit">Save</button>
    </form>
  )
}

test('every error is a link that opens what its field stands in and focuses it, until it is corrected', async () => {
  await setLanguage('en')
  await renderApp(<Sample />, '/')
  const summary = page.getByRole('region', { name: 'Error' })
  await expect.element(summary).not.toBeInTheDocument()
  await userEvent.click(page.getByRole('button', { name: 'Save' }))
  await expect.element(summary).toHaveTextContent('Name is requiredWait is required')
  await expect.element(page.getByRole('textbox', { name: 'Wait' })).not.toBeInTheDocument()
  await userEvent.click(page.getByRole('link', { name: 'Wait is required' }))
  await expect.element(page.getByRole('textbox', { name: 'Wait' })).toHaveFocus()
  expect(opened).toHaveBeenCalledWith('wait')
  await expectAccessible()
  await userEvent.fill(page.getByRole('textbox', { name: 'Wait' }), '5')
  await expect.element(summary).toHaveTextContent('Name is required')
  await expect.element(page.getByRole('link', { name: 'Wait is required' })).not.toBeInTheDocument()
})
