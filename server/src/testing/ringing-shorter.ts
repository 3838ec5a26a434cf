import type { TelephonyDriver } from '../drivers/telephony/driver.ts'

/** Limits how long telephones ring. Over a real network a ring of 45 s takes 45 s. */
export function ringingShorter(driver: TelephonyDriver, ringMsMax: number): TelephonyDriver {
  return {
    ...driver,
    async connect(address) {
      const line = await driver.connect(address)
      const dial: typeof line.dial = (request) => line.dial({ ...request, ringMs: Math.min(request.ringMs, ringMsMax) })
      return new Proxy(line, {
        get(of, key) {
          const value: unknown = key === 'dial' ? dial : Reflect.get(of, key)
          return typeof value === 'function' ? value.bind(of) : value
        },
      })
    },
  }
}
