import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderApp } from '../../testing/render-app.tsx'
import { confirm } from './dialogs/dialogs.ts'
import { showDone } from './toasts/toasts.ts'

const names = ['Dashain', 'Tihar', 'Holi']

function Rows() {
  const [rows, setRows] = useState(names)
  const remove = (name: string) => setRows((before) => before.filter((one) => one !== name))
  const ask = (name: string) =>
    confirm({ title: name, question: 'Delete?', failure: 'x', onYes: async () => remove(name) })
  return (
    <section>
      <h1 tabIndex={-1}>Campaigns</h1>
      <ul>
        {rows.map((name) => (
          <li key={name}>
            <button onClick={() => remove(name)}>Delete {name}</button>
            <button onClick={() => ask(name)}>Ask for {name}</button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const press = async (name: string) => {
  const button = page.getByRole('button', { name, exact: true })
  ;(button.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
}
const focusOn = (name: string) => expect.element(page.getByRole('button', { name, exact: true })).toHaveFocus()

test('after deleting a row by keyboard the focus is on the next one, after the last on the row before', async () => {
  await renderApp(<Rows />)
  await press('Delete Tihar')
  await focusOn('Delete Holi')
  await press('Delete Holi')
  await focusOn('Ask for Dashain')
  await press('Ask for Dashain')
  await page.getByRole('button', { name: 'YES' }).click()
  await expect.element(page.getByRole('main')).toHaveFocus()
})

test('a question whose YES deletes the row that asked leaves the keyboard at the next row', async () => {
  await renderApp(<Rows />)
  await press('Ask for Tihar')
  await page.getByRole('button', { name: 'YES' }).click()
  await focusOn('Ask for Holi')
})

test('a button that waits for the server has the focus again afterwards', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  function Sends() {
    const [busy, setBusy] = useState(false)
    const send = () => {
      setBusy(true)
      void answered.then(() => setBusy(false))
    }
    return (
      <button disabled={busy} onClick={send}>
        Send
      </button>
    )
  }
  await renderApp(<Sends />)
  await press('Send')
  await expect.element(page.getByRole('button', { name: 'Send' })).toBeDisabled()
  answer()
  await expect.element(page.getByRole('button', { name: 'Send' })).toBeEnabled()
  await focusOn('Send')
})

test('closing a toast by keyboard keeps the focus in the page, not at its top', async () => {
  await renderApp(<p>Campaigns</p>)
  showDone('The file was deleted')
  await expect.element(page.getByText('The file was deleted')).toBeVisible()
  await press('Close')
  await expect.element(page.getByRole('main')).toHaveFocus()
})

test('a click outside of all controls keeps the focus off every control', async () => {
  await renderApp(
    <>
      <Rows />
      <p>Nothing here can be pressed</p>
    </>,
  )
  ;(page.getByRole('button', { name: 'Delete Tihar' }).element() as HTMLElement).focus()
  await page.getByText('Nothing here can be pressed').click()
  ;(page.getByRole('button', { name: 'Delete Dashain' }).element() as HTMLElement).dispatchEvent(
    new MouseEvent('click', { bubbles: true }),
  )
  await new Promise((done) => setTimeout(done, 200))
  await expect.element(page.getByRole('main')).toHaveFocus()
})
