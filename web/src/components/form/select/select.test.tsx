import { Button } from '@mantine/core'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderApp } from '../../../testing/render-app.tsx'
import { MultiSelect, Select } from './Select.tsx'

const all = ['maya', 'mohan', 'reseller'].map((label, at) => ({ value: String(at), label }))
const found = [{ value: '2', label: 'reseller' }]

/** A picker, what its server answers, and what stands below it. */
function Picker() {
  const [data, setData] = useState(all)
  const [chosen, setChosen] = useState<string | null>(null)
  return (
    <>
      <Select label="User" searchable data={data} filter={({ options }) => options} onChange={setChosen} />
      <Select label="Other" searchable data={all} />
      <MultiSelect label="Keys" searchable data={['1', '2']} />
      <Button>{`Add ${chosen ?? 'nobody'}`}</Button>
      <Button onClick={() => setData([])}>Nothing yet</Button>
      <Button onClick={() => setData(found)}>The answer</Button>
    </>
  )
}

const lists = () => page.getByRole('listbox').elements()
const press = (element: Element, types: string[]) =>
  types.forEach((type) => element.dispatchEvent(new PointerEvent(type, { bubbles: true, cancelable: true })))

test('a press on an option chooses it and shuts the list, though an answer replaces the options before it ends', async () => {
  await renderApp(<Picker />)
  const box = page.getByRole('combobox', { name: 'User' })
  await box.fill('reseller')
  const option = page.getByRole('option', { name: 'reseller' }).element()
  press(option, ['pointerdown', 'mousedown'])
  // Without the pointer, which is down.
  for (const name of ['Nothing yet', 'The answer'])
    (page.getByRole('button', { name }).element() as HTMLElement).click()
  await new Promise((done) => setTimeout(done, 50))
  expect(option.isConnected, 'the browser gives a click only to what was pressed').toBe(true)
  press(option, ['pointerup', 'mouseup', 'click'])
  await expect.element(page.getByRole('button', { name: 'Add 2' })).toBeVisible()
  await expect.poll(lists).toEqual([])
  await box.click()
  await expect.poll(() => page.getByRole('option').elements().length, { message: 'and then shows the answer' }).toBe(1)
})

test('Tab goes through pickers without opening their lists, which would cover what comes next', async () => {
  await renderApp(<Picker />)
  await page.getByRole('combobox', { name: 'User' }).click()
  await page.getByRole('option', { name: 'maya' }).click()
  for (const name of ['Other', 'Keys']) {
    await userEvent.keyboard('{Tab}')
    const box = page.getByRole('combobox', { name })
    expect(document.activeElement).toBe(box.element())
    expect(lists()).toEqual([])
    await userEvent.keyboard('{ArrowDown}')
    await expect.poll(() => lists().length, { message: 'an arrow opens it' }).toBe(1)
    await userEvent.keyboard('{Escape}')
    await expect.poll(lists).toEqual([])
  }
})
