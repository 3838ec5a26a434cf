import { expect, onTestFinished, test, vi } from 'vitest'
import { piecesMax, Reassembly, type Arrival } from './reassembly.ts'

const arrival = (from: string, number: number, of: number): Arrival => ({
  message: { kind: 'message', from, to: '31001', text: 'x', piece: { reference: 1, number, of } },
  key: `${from} ${number}`,
  at: new Date(),
  acknowledge: () => undefined,
})

test('of unfinished messages of 255 pieces, no more pieces are held than of short ones, and a long one can still be whole', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let passedOn = 0
  const whole: string[] = []
  const reassembly = new Reassembly((held) => {
    passedOn += held.length
    whole.push(...held.flatMap(({ message }) => (message.part === null ? [message.from] : [])))
  })
  const unfinished = 254 * 100
  for (let n = 0; n < 100; n++)
    for (let number = 1; number < 255; number++) reassembly.add(arrival(`9779800000${n}`, number, 255))
  expect(unfinished - passedOn).toBeLessThanOrEqual(piecesMax)
  for (let number = 1; number <= 255; number++) reassembly.add(arrival('9779841234567', number, 255))
  expect(whole).toEqual(['9779841234567'])
  reassembly.flush()
  expect(passedOn).toBe(unfinished + 1)
})
