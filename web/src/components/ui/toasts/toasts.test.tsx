import { Modal } from '@mantine/core'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible, renderApp } from '../../../testing/render-app.tsx'
import { showToastHistory } from './toast-history.tsx'
import { forgetToasts, showDone } from './toasts.ts'

afterEach(forgetToasts)
const status = () => page.getByRole('status')

test('a finished action is announced in the status region, without taking the focus, and can be read again later', async () => {
  await renderApp(<button>Save</button>)
  await userEvent.click(page.getByRole('button', { name: 'Save' }))
  showDone('The plan was added.')
  await expect.element(status().getByText('The plan was added.')).toBeVisible()
  expect(document.activeElement?.textContent).toBe('Save')
  await expectAccessible()
  await userEvent.click(status().getByRole('button', { name: 'Close' }))
  await expect.element(status().getByText('The plan was added.')).not.toBeInTheDocument()
  showToastHistory()
  await expect
    .element(page.getByRole('dialog', { name: 'Done in this visit' }).getByText('The plan was added.'))
    .toBeVisible()
})

test('an action is undone once; a failure is shown', async () => {
  await renderApp(<p>List</p>)
  const undo = vi.fn<() => Promise<void>>(() => Promise.resolve())
  showDone('Renamed.', undo)
  await userEvent.click(status().getByRole('button', { name: 'Undo' }))
  await expect.element(status().getByText('Undone.')).toBeVisible()
  await expect.element(status().getByText('Renamed.')).not.toBeInTheDocument()
  expect(undo).toHaveBeenCalledTimes(1)
  showDone('Renamed.', () => Promise.reject(new Error('The name is taken')))
  await userEvent.click(status().getByRole('button', { name: 'Undo' }))
  await expect.element(page.getByRole('dialog', { name: 'Error' }).getByText('The name is taken')).toBeVisible()
})

test('at most three stand on screen, over a dialog as well', async () => {
  await renderApp(
    <Modal opened onClose={() => undefined} title="A dialog">
      Text
    </Modal>,
  )
  for (const name of ['one', 'two', 'three', 'four']) showDone(name)
  await expect.element(status().getByText('four')).toBeVisible()
  await expect.element(status().getByText('one')).not.toBeInTheDocument()
})
