import { useMantineColorScheme } from '@mantine/core'
import { Suspense } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { speechLikeWav } from '../../../design/wav.ts'
import { expectAccessible, renderApp } from '../../../testing/render-app.tsx'
import { peaksOf } from './peaks.ts'
import { Sound } from './Player.tsx'

// The browser stores the colour scheme.
afterEach(() => localStorage.clear())

const position = () => page.getByRole('slider', { name: 'Position' })
const audio = () => document.querySelector('audio')
const drawn = () => document.querySelectorAll('[data-peaks=true]').length

function OneSound({ src }: { src: string }) {
  const { setColorScheme } = useMantineColorScheme()
  return (
    <Suspense fallback={null}>
      <button onClick={() => setColorScheme('dark')}>Dark</button>
      <Sound src={src} />
    </Suspense>
  )
}

test('a file is decoded once, when it is hovered or focused, and not before', async () => {
  const fetched = vi.spyOn(window, 'fetch')
  const src = URL.createObjectURL(speechLikeWav(12))
  await renderApp(<OneSound src={src} />)
  await expect.element(position()).toHaveAttribute('aria-valuetext', '0 seconds of 12 seconds')
  expect([fetched.mock.calls, drawn()]).toEqual([[], 0])
  await position().hover()
  await expect.poll(drawn).toBe(2)
  await page.getByRole('button', { name: 'Dark' }).hover()
  await position().hover()
  await page.getByRole('button', { name: 'Play' }).click()
  await page.getByRole('button', { name: 'Pause' }).click()
  expect(fetched.mock.calls.map(([address]) => address)).toEqual([src])
  const tops = [...(document.querySelector('[data-peaks] path')?.getAttribute('d') ?? '').matchAll(/ ([\d.]+)V/g)]
  expect(tops.length).toBe(80)
  fetched.mockRestore()
})

test('a click and the keys move the sound to another time, said in words', async () => {
  await renderApp(<OneSound src={URL.createObjectURL(speechLikeWav(72))} />)
  await expect.element(position()).toHaveAttribute('aria-valuetext', '0 seconds of 1 minute 12 seconds')
  await expect.element(page.getByText('0:00 / 1:12')).toBeVisible()
  await position().click()
  await expect.element(position()).toHaveAttribute('aria-valuetext', '36 seconds of 1 minute 12 seconds')
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowLeft}')
  await expect.element(page.getByText('0:37 / 1:12')).toBeVisible()
  expect(Math.round(audio()?.currentTime ?? 0)).toBe(37)
  await userEvent.keyboard('{Home}')
  await expect.poll(() => audio()?.currentTime).toBe(0)
})

test('it plays faster or slower, and can be downloaded under a name where it may be', async () => {
  const src = URL.createObjectURL(speechLikeWav(12))
  await renderApp(
    <Suspense fallback={null}>
      <Sound src={src} saveAs="talk.wav" />
    </Suspense>,
  )
  await page.getByRole('combobox', { name: 'Speed' }).selectOptions('1.5')
  expect(audio()?.playbackRate).toBe(1.5)
  await expect.element(page.getByRole('link', { name: 'Download' })).toHaveAttribute('download', 'talk.wav')
  await page.getByRole('button', { name: 'Play' }).click()
  expect(audio()?.playbackRate).toBe(1.5)
  audio()?.load()
  expect(audio()?.playbackRate, 'the next file too').toBe(1.5)
})

test.each([
  [404, 'This file is gone: the server does not have it any more.'],
  [503, 'This file cannot be played. It may have been deleted.'],
])('a file that the server answers with %i says what is wrong', async (status, text) => {
  const fetched = vi.spyOn(window, 'fetch').mockImplementation(async () => new Response('', { status }))
  await renderApp(<OneSound src="/rec/01234567-89ab-cdef-0123-456789abcdef.wav" />)
  await expect.element(page.getByText(text)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Play' })).toBeDisabled()
  fetched.mockRestore()
})

test('the player is accessible in both schemes', async () => {
  await renderApp(<OneSound src={URL.createObjectURL(speechLikeWav(2))} />)
  await position().hover()
  await expect.poll(drawn).toBe(2)
  await expectAccessible()
  await page.getByRole('button', { name: 'Dark' }).click()
  await expect.poll(() => document.documentElement.dataset['mantineColorScheme']).toBe('dark')
  await expectAccessible()
})

test('a file that cannot be decoded plays without a drawing; one that cannot be played says so', async () => {
  const whole = speechLikeWav(2)
  const decode = vi.spyOn(OfflineAudioContext.prototype, 'decodeAudioData').mockRejectedValue(new Error('not decoded'))
  const first = await renderApp(<OneSound src={URL.createObjectURL(whole)} />)
  await page.getByRole('button', { name: 'Play' }).click()
  await expect.poll(() => audio()?.currentTime).toBeGreaterThan(0)
  await expect.poll(() => decode.mock.results.length).toBe(1)
  expect(drawn()).toBe(0)
  await first.unmount()
  decode.mockRestore()

  await renderApp(<OneSound src={URL.createObjectURL(new Blob(['no sound']))} />)
  await expect.element(page.getByText('This file cannot be played. It may have been deleted.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Play' })).toBeDisabled()
})

test('a part is as high as its loudest sample of all channels, quiet ones raised by the root', () => {
  const left = Float32Array.from([0, 0.25, 0, 0])
  const right = Float32Array.from([0, -0.04, -1, 0])
  expect(peaksOf([left, right], 2)).toEqual([0.5, 1])
  expect(peaksOf([new Float32Array(0)], 2)).toEqual([0, 0])
})
