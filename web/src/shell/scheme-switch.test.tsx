import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderApp } from '../testing/render-app.tsx'
import { SchemeSwitch } from './SchemeSwitch.tsx'

const scheme = () => document.documentElement.dataset['mantineColorScheme']

test('the button of the colours answers a frame before every element takes the other ones', async () => {
  await renderApp(<SchemeSwitch />)
  const button = page.getByRole('button', { name: 'Use dark colours' })
  await expect.element(button).toBeVisible()
  const seen = new Promise<string | undefined>((resolve) => {
    const observer = new MutationObserver(() => {
      observer.disconnect()
      requestAnimationFrame(() => resolve(scheme()))
    })
    observer.observe(button.element(), { attributes: true, attributeFilter: ['aria-label'] })
  })
  await button.click()
  expect(await seen).toBe('light')
  await expect.poll(scheme).toBe('dark')
  await page.getByRole('button', { name: 'Use light colours' }).click()
  await expect.poll(scheme).toBe('light')
  await expect.element(button).toBeVisible()
})
