import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { ApiError } from '../../api/error.ts'
import { expectAccessible, renderApp } from '../../testing/render-app.tsx'
import { confirm } from './dialogs.ts'

const question = 'Are you sure you want to pause this campaign?'

test('a confirmation names the object, asks exactly, and shows a failure inside until it works', async () => {
  let tries = 0
  const onYes = async () => {
    tries += 1
    if (tries === 1)
      throw new ApiError(503, 'Request Failed!! Please try again', [
        { field: 'campaignId', code: 'busy', text: 'The server is starting' },
      ])
  }
  const failure = 'Error in Pause, please try again'
  await renderApp(<button onClick={() => confirm({ title: 'Dashain Offer', question, failure, onYes })}>Pause</button>)
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect
    .element(page.getByRole('dialog', { name: 'Dashain Offer' }).getByText(question, { exact: true }))
    .toBeVisible()
  await page.getByRole('button', { name: 'YES' }).click()
  await expect.element(page.getByRole('alert').getByText(failure)).toBeVisible()
  await expect.element(page.getByRole('alert').getByText('The server is starting')).toBeVisible()
  await expectAccessible()
  await page.getByRole('button', { name: 'YES' }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Pause' })).toHaveFocus()
})

test('what stands as it stands cannot be tried again: after a 409 there is Close only', async () => {
  const text = 'is used by ‘Tihar’'
  const onYes = () => Promise.reject(new ApiError(409, 'Request Failed', [{ field: 'promptId', code: 'in_use', text }]))
  const content = { title: 'menu.wav', question, failure: 'Error in deletion', labels: { promptId: 'The file' }, onYes }
  await renderApp(<button onClick={() => confirm(content)}>Delete</button>)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'YES' }).click()
  await expect.element(page.getByRole('alert').getByText(`The file ${text}`)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'YES' })).not.toBeInTheDocument()
  await page.getByText('Close', { exact: true }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('CANCEL does nothing, and YES waits for a reason where one is required', async () => {
  const given: string[] = []
  const onYes = (reason: string) => Promise.resolve(given.push(reason))
  await renderApp(
    <button onClick={() => confirm({ title: 'Dashain', question, failure: 'x', reason: { required: true }, onYes })}>
      Stop
    </button>,
  )
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'CANCEL' }).click()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'YES' }).click()
  await expect.element(page.getByText('Please give a reason')).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'Reason' })).toHaveFocus()
  expect(given).toEqual([])
  await page.getByRole('textbox', { name: 'Reason' }).fill(' complaint ')
  await page.getByRole('button', { name: 'YES' }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  expect(given).toEqual(['complaint'])
})
