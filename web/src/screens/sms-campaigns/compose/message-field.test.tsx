import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { loadTexts } from '../../../i18n/language.ts'
import { renderApp } from '../../../testing/render-app.tsx'
import { MessageField } from './MessageField.tsx'

await loadTexts('smsCompose', 'compose')

const shown = (text: string) =>
  renderApp(
    <MessageField
      label="SMS text"
      name="smsText"
      text={text}
      problem={null}
      columns={null}
      isPersonalised={false}
      perSegment={0.5}
      onChange={() => undefined}
    />,
  )
const count = () => page.getByRole('status', { name: 'Length of the message' })

test.each([
  {
    why: 'every sign of Devanagari counts, so 47 characters take two segments',
    text: 'नमस्ते '.repeat(12).trim(),
    said: ['47 characters, counted as 83 · 2 segments · Rs 1.00', /^Vowel signs, half letters/],
  },
  {
    why: 'braces and the euro sign count as two',
    text: 'Rs {5} or 1 €',
    said: ['13 characters, counted as 16 · 1 segment · Rs 0.50', 'These count as two each: { } €'],
  },
])('the counter says what is charged, and why: $why', async ({ text, said }) => {
  await shown(text)
  for (const words of said) await expect.element(count().getByText(words)).toBeVisible()
})

test('where every character counts once, the counter names one figure', async () => {
  await shown('Your bill is due.')
  await expect.element(count().getByText('17 characters · 1 segment · Rs 0.50')).toBeVisible()
  expect(count().element().textContent).not.toMatch(/count(ed)? as/)
})

test('a column is put at the caret, and makes a text that was the same for all a personalised one', async () => {
  const changes = { onChange: vi.fn<(text: string) => void>(), onPersonalise: vi.fn<(text: string) => void>() }
  const field = { label: 'SMS text', name: 'smsText', text: 'Dear , hello', problem: null, columns: ['mobile', 'name'] }
  await renderApp(<MessageField {...field} {...changes} isPersonalised={false} />)
  const text = page.getByRole('textbox', { name: 'SMS text' })
  const box = text.element()
  if (box instanceof HTMLTextAreaElement) box.setSelectionRange(5, 5)
  await userEvent.click(page.getByRole('button', { name: 'Insert name' }))
  expect(changes.onPersonalise.mock.calls).toEqual([['Dear {name}, hello']])
  expect(changes.onChange).not.toHaveBeenCalled()
  await expect.element(text).toHaveFocus()
})
