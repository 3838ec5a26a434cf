import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { loadTexts, setLanguage } from '../../../i18n/language.ts'
import { expectAccessible, renderApp } from '../../../testing/render-app.tsx'
import { blankForm, type ComposeForm } from '../form.ts'
import { keyLabelsOf } from './key-names.ts'
import { KeyNames } from './KeyNames.tsx'

await loadTexts('compose')
const sent = vi.fn()
beforeEach(async () => {
  sent.mockClear()
  await setLanguage('en')
})

function NamesAlone({ start }: { start: Partial<ComposeForm> }) {
  const form = useForm<ComposeForm>({ mode: 'uncontrolled', initialValues: { ...blankForm, ...start } })
  const refuse = () => form.setErrors({ 'keyLabels.1': 'has line breaks or control characters' })
  return (
    <form onSubmit={form.onSubmit((values) => sent(keyLabelsOf(values)))}>
      <KeyNames form={form} />
      <Button onClick={() => form.setFieldValue('keys', ['2'])}>Only 2</Button>
      <Button onClick={refuse}>Refuse</Button>
      <Button type="submit">Send</Button>
    </form>
  )
}

const field = (key: string) => page.getByRole('textbox', { name: `Name of key ${key}` })
const press = (name: string) => userEvent.click(page.getByRole('button', { name, exact: true }))

test('each key that is taken has a small field, in the order of a telephone, with an example and not required', async () => {
  await renderApp(<NamesAlone start={{ template: '1', keys: ['*', '2', '1'] }} />)
  const fields = page.getByRole('textbox').elements()
  expect(fields.map((one) => one.getAttribute('aria-label'))).toEqual([
    'Name of key 1',
    'Name of key 2',
    'Name of key *',
  ])
  expect(fields.map((one) => one.getAttribute('placeholder'))).toEqual([
    'e.g. Interested',
    'e.g. Call me later',
    'e.g. Interested',
  ])
  await expectAccessible()
  await press('Send')
  expect(sent).toHaveBeenLastCalledWith({})
})

test('names that were typed are sent, and come back with a key that was taken away meanwhile', async () => {
  await renderApp(<NamesAlone start={{ template: '1', keys: ['1', '2'], keyLabels: { 2: 'No' } }} />)
  await userEvent.fill(field('1'), ' Interested ')
  await press('Send')
  expect(sent).toHaveBeenLastCalledWith({ 1: 'Interested', 2: 'No' })
  await press('Only 2')
  await expect.element(field('1')).not.toBeInTheDocument()
  await press('Send')
  expect(sent).toHaveBeenLastCalledWith({ 2: 'No' })
})

test('a refusal stands at the field of its key until it is typed in', async () => {
  await renderApp(<NamesAlone start={{ template: '1', keys: ['1'] }} />)
  await press('Refuse')
  const said = page.getByText('Name of key 1 has line breaks or control characters')
  await expect.element(said).toBeVisible()
  await userEvent.fill(field('1'), 'Yes')
  await expect.element(said).not.toBeInTheDocument()
})

test('without keys there is nothing to name', async () => {
  await renderApp(<NamesAlone start={{ template: '1' }} />)
  await expect.element(page.getByRole('button', { name: 'Send' })).toBeVisible()
  expect(page.getByRole('textbox').elements()).toHaveLength(0)
})
