import { expect, test } from 'vitest'
import { page, userEvent, type Locator } from 'vitest/browser'
import { ApiError } from '../../../api/error.ts'
import { closeNotice, noteOtherAccount } from '../../../api/page-owner.ts'
import { expectAccessible, renderApp } from '../../../testing/render-app.tsx'
import { confirm, showFailure } from './dialogs.ts'

const question = 'Are you sure you want to pause this campaign?'

const linesOf = (alert: Locator) => [...alert.element().querySelectorAll('p')].map(({ textContent }) => textContent)

test.each([
  { due: 'a specification’s text', failure: true as const, said: ['Name is required', 'Parameters Incorrect'] },
  { due: 'nothing', failure: undefined, said: ['Name is required'] },
  { due: 'a sentence about the action', failure: 'Recharge Failed.', said: ['Name is required', 'Recharge Failed.'] },
])('the Error modal says what helps first, and beneath it, once, what is due: $due', async ({ failure, said }) => {
  const error = new ApiError(400, 'Parameters Incorrect', [{ field: 'name', code: 'required', text: 'is required' }])
  await renderApp(<button onClick={() => showFailure(error, { name: 'Name' }, failure)}>Save</button>)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByRole('alert')).toBeVisible()
  expect(linesOf(page.getByRole('alert'))).toEqual(said)
  await page.getByRole('button', { name: 'OK' }).click()
})

test.each([
  { message: 'Parameters Incorrect', said: ['Error in Pause, please try again'] },
  {
    message: 'The server cannot be reached. Check your connection and try again.',
    said: ['The server cannot be reached. Check your connection and try again.', 'Error in Pause, please try again'],
  },
])('a message that gives no reason gives way to the sentence about the action: $message', async ({ message, said }) => {
  const error = new ApiError(0, message)
  await renderApp(<button onClick={() => showFailure(error, {}, 'Error in Pause, please try again')}>Pause</button>)
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect.element(page.getByRole('alert')).toBeVisible()
  expect(linesOf(page.getByRole('alert'))).toEqual(said)
  await page.getByRole('button', { name: 'OK' }).click()
})

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
  await expect.element(page.getByRole('alert')).toBeVisible()
  expect(linesOf(page.getByRole('alert'))).toEqual(['The server is starting', failure])
  await expectAccessible()
  await page.getByRole('button', { name: 'YES' }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Pause' })).toHaveFocus()
})

test('after a 409 trying again is not offered, only Close', async () => {
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

const otherAccount = new ApiError(409, 'Request Failed!! Please try again', [
  { field: 'Page-Owner', code: 'other_account', text: 'You are signed in as user2 in another window' },
])
const notice = page.getByRole('dialog', { name: 'You are signed in as user2 in another window' })

test('a sign-in as another account is told once, above an open dialog, of which nothing is lost', async () => {
  const onYes = () => {
    noteOtherAccount(otherAccount, true)
    return Promise.reject(otherAccount)
  }
  const content = { title: 'Dashain', question, failure: 'x', reason: { required: true }, onYes }
  await renderApp(<button onClick={() => confirm(content)}>Stop</button>)
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('complaint')
  await page.getByRole('button', { name: 'YES' }).click()
  await expect.element(notice.getByRole('button', { name: 'Reload the page' })).toBeVisible()
  await expectAccessible()
  await userEvent.keyboard('{Escape}')
  await expect.element(notice).not.toBeInTheDocument()
  await expect.element(page.getByRole('textbox', { name: 'Reason' })).toHaveValue('complaint')
  showFailure(otherAccount)
  await expect.element(page.getByRole('dialog', { name: 'Error' })).not.toBeInTheDocument()
})

test('what reloads by itself tells it once, what somebody does each time', async () => {
  await renderApp(<p>Here</p>)
  for (const [isWrite, shown] of [
    [true, true],
    [false, false],
    [true, true],
  ] as const) {
    noteOtherAccount(otherAccount, isWrite)
    if (shown) await expect.element(notice).toBeVisible()
    else await expect.element(notice).not.toBeInTheDocument()
    closeNotice()
    await expect.element(notice).not.toBeInTheDocument()
  }
})
