/** The one resampler, which brings speech and uploaded sounds to the rate of telephones (docs/adr/31). */

export const telephoneRate = 8000
/** Telephones carry up to 3.4 kHz. Anything above 4 kHz would fold back as noise. */
const passHz = 3600
/** The longer the filter, the steeper its cut-off. With this reach on either side, nothing above 4.2 kHz folds back. */
const reachSeconds = 1 / 900
/** Sounds at this rate or above are halved first: telephones carry much less, and the long filter then has half the work. */
const halvedFrom = 2.7 * telephoneRate

/** Resamples any rate to 8 kHz and removes frequencies that telephones do not carry. A sound at 8 kHz is returned as it is. */
export function toTelephoneRate(samples: Float32Array | Float64Array, rate: number): Float32Array | Float64Array {
  if (rate === telephoneRate) return samples
  if (rate >= halvedFrom && rate % 2 === 0) return toTelephoneRate(halved(samples), rate / 2)
  return resampled(samples, filterOf(rate))
}

const kaiserBeta = 4
const kaiserMiddle = besselI0(kaiserBeta)

/** Half of a windowed sinc. Its weights at even distances are zero, except the middle one, which is a half. */
const halvingPairs = 4
const halving = Array.from({ length: halvingPairs }, (_, pair) => {
  const x = 2 * pair + 1
  return (Math.sin((Math.PI * x) / 2) / (Math.PI * x)) * kaiser(x / (2 * halvingPairs))
})
const halvingReach = 2 * halvingPairs - 1

/** Every second sample after a low-pass at a quarter of the rate. */
function halved(samples: Float32Array | Float64Array): Float32Array {
  const [a = 0, b = 0, c = 0, d = 0] = halving
  const all = new Float32Array(samples.length + 2 * halvingReach)
  all.set(samples, halvingReach)
  const result = new Float32Array(samples.length >> 1)
  for (let n = 0, at = halvingReach; n < result.length; n++, at += 2) {
    const near = a * ((all[at - 1] ?? 0) + (all[at + 1] ?? 0)) + b * ((all[at - 3] ?? 0) + (all[at + 3] ?? 0))
    const far = c * ((all[at - 5] ?? 0) + (all[at + 5] ?? 0)) + d * ((all[at - 7] ?? 0) + (all[at + 7] ?? 0))
    result[n] = (all[at] ?? 0) / 2 + near + far
  }
  return result
}

/**
 * `weights`: of a low-pass (windowed sinc), for each phase of the ratio between the rates, one after the other. `reach`: how many samples on either
 * side contribute to a sample of the result. `taps`: padded with weights of zero, because they are summed four at a time.
 */
type Filter = { up: number; down: number; reach: number; taps: number; weights: Float32Array }

/** Four sums, so that no addition waits for the one before it. */
function resampled(samples: Float32Array | Float64Array, { up, down, reach, taps, weights }: Filter): Float32Array {
  const padded = new Float32Array(samples.length + reach + taps)
  padded.set(samples, reach)
  const result = new Float32Array(Math.floor((samples.length * up) / down))
  for (let n = 0; n < result.length; n++) {
    const at = n * down
    const phase = (at % up) * taps
    const first = Math.floor(at / up)
    let [one, two, three, four] = [0, 0, 0, 0]
    for (let k = 0; k < taps; k += 4) {
      one += (padded[first + k] ?? 0) * (weights[phase + k] ?? 0)
      two += (padded[first + k + 1] ?? 0) * (weights[phase + k + 1] ?? 0)
      three += (padded[first + k + 2] ?? 0) * (weights[phase + k + 2] ?? 0)
      four += (padded[first + k + 3] ?? 0) * (weights[phase + k + 3] ?? 0)
    }
    result[n] = one + two + three + four
  }
  return result
}

/** One for each rate. Speech engines have one rate, so only a few occur. */
const filters = new Map<number, Filter>()
const filtersMax = 20
/** A larger table comes from an unusual rate and is not kept. */
const keptWeightsMax = 100_000

function filterOf(rate: number): Filter {
  const known = filters.get(rate)
  if (known) return known
  const shared = commonDivisor(rate, telephoneRate)
  const up = telephoneRate / shared
  const reach = Math.ceil(rate * reachSeconds)
  const taps = 4 * Math.ceil((2 * reach + 1) / 4)
  const size = { up, down: rate / shared, reach, taps }
  const filter = { ...size, weights: weightsOf(size, Math.min(passHz, rate / 2) / rate) }
  if (filter.weights.length > keptWeightsMax) return filter
  if (filters.size >= filtersMax) filters.clear()
  filters.set(rate, filter)
  return filter
}

function weightsOf({ up, reach, taps }: Omit<Filter, 'weights'>, cutoff: number): Float32Array {
  const all = new Float32Array(up * taps)
  for (let phase = 0; phase < up; phase++) {
    const weights = Float32Array.from({ length: taps }, (_, k) => {
      const x = k - reach - phase / up
      const angle = 2 * Math.PI * cutoff * x
      const sinc = angle === 0 ? 1 : Math.sin(angle) / angle
      return sinc * kaiser(x / reach)
    })
    const sum = weights.reduce((total, weight) => total + weight, 0)
    all.set(
      weights.map((weight) => weight / sum),
      phase * taps,
    )
  }
  return all
}

/** Kaiser's window from -1 to 1. It keeps suppressed frequencies below a hundredth (45 dB). */
function kaiser(x: number): number {
  return Math.abs(x) > 1 ? 0 : besselI0(kaiserBeta * Math.sqrt(1 - x * x)) / kaiserMiddle
}

/** The modified Bessel function of order 0, for small x. Further terms of the series are below a float's last digit. */
function besselI0(x: number): number {
  let [sum, term] = [1, 1]
  for (let k = 1; k < 20; k++) {
    term *= (x / (2 * k)) ** 2
    sum += term
  }
  return sum
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b)
}
