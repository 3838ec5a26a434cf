import { Suspense, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderApp } from '../../../testing/render-app.tsx'
import { late } from './late.tsx'

function Counter() {
  const [count, setCount] = useState(0)
  return <button onClick={() => setCount(count + 1)}>pressed {count}</button>
}

test('a part that was loaded before shows at once, without its fallback', async () => {
  const Part = late(() => Promise.resolve({ default: Counter }))
  await Part.preload()
  const waiting = vi.fn(() => <p>waits</p>)
  const Fallback = () => waiting()
  await renderApp(
    <Suspense fallback={<Fallback />}>
      <Part />
    </Suspense>,
  )
  await expect.element(page.getByRole('button', { name: 'pressed 0' })).toBeVisible()
  expect(waiting).not.toHaveBeenCalled()
})

test('a part that loads on demand keeps its state when what surrounds it is rendered again', async () => {
  const { promise, resolve } = Promise.withResolvers<{ default: typeof Counter }>()
  const Part = late(() => promise)
  function Parent() {
    const [times, setTimes] = useState(0)
    return (
      <>
        <button onClick={() => setTimes(times + 1)}>again {times}</button>
        <Suspense fallback={<p>waits</p>}>
          <Part />
        </Suspense>
      </>
    )
  }
  await renderApp(<Parent />)
  await expect.element(page.getByText('waits')).toBeVisible()
  resolve({ default: Counter })
  await userEvent.click(page.getByRole('button', { name: 'pressed 0' }))
  await userEvent.click(page.getByRole('button', { name: 'again 0' }))
  await expect.element(page.getByRole('button', { name: 'again 1' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'pressed 1' })).toBeVisible()
})
