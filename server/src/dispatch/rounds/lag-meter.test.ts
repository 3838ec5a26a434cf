import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { LagMeter } from './lag-meter.ts'

let now = 0
const meters: LagMeter[] = []
function newMeter(): LagMeter {
  now = 0
  const meter = new LagMeter(() => now)
  meters.push(meter)
  return meter
}
afterEach(() => {
  for (const meter of meters.splice(0)) meter.end()
})
const samples = (meter: LagMeter, ...at: number[]) => {
  for (const ms of at) {
    now = ms
    meter.sample()
  }
}

test('every reader learns of a delay, whoever reads first, and of each once', () => {
  const meter = newMeter()
  const [one, other] = [meter.reader(), meter.reader()]
  samples(meter, 50, 100, 650, 700)
  expect([one.read(), other.read(), one.read(), other.read()]).toEqual([500, 500, 0, 0])
})

test('a delay that begins right after it was read is not lost, nor one that is read before the meter’s own timer fires', () => {
  const meter = newMeter()
  const { read } = meter.reader()
  samples(meter, 50)
  expect(read()).toBe(0)
  now = 400
  expect(read()).toBe(300)
  samples(meter, 401)
  expect(read()).toBe(0)
})

test('the longest of several delays is reported', () => {
  const meter = newMeter()
  const { read } = meter.reader()
  samples(meter, 150, 200, 550, 600)
  expect(read()).toBe(300)
})

test('no samples are taken while all readers rest, and a rest is no delay', () => {
  const timers = vi.spyOn(globalThis, 'setInterval')
  const stopped = vi.spyOn(globalThis, 'clearInterval')
  onTestFinished(() => void vi.restoreAllMocks())
  const meter = newMeter()
  const resting = { one: false, other: true }
  const { read } = meter.reader(() => resting.one)
  const other = meter.reader(() => resting.other)
  samples(meter, 50, 100, 1050)
  expect([read(), other.read()]).toEqual([900, 900])
  expect(stopped).toHaveBeenCalledTimes(0)
  resting.one = true
  samples(meter, ...Array.from({ length: 22 }, (_, i) => 1100 + 50 * i))
  expect(stopped).toHaveBeenCalledTimes(1)
  now = 10_000
  expect([read(), other.read()]).toEqual([0, 0])
  expect(timers).toHaveBeenCalledTimes(1)
  resting.one = false
  now = 10_250
  expect(read()).toBe(0)
  expect(timers).toHaveBeenCalledTimes(2)
  samples(meter, 10_300, 10_650)
  expect(read()).toBe(300)
})

test('ticks that take longer than a second, and delays that are longer, are measured all the same, each time', () => {
  const meter = newMeter()
  const { read } = meter.reader()
  for (const at of [1500, 3000, 4500]) {
    samples(meter, at - 300)
    now = at
    expect(read()).toBeGreaterThanOrEqual(1000)
  }
})
