import type { GatewayState, OpenGateway, SmsGateway } from './driver.ts'
import { RateLimiter } from './rate-limiter.ts'
import { StateTeller } from './state.ts'

/** A gateway to which nothing can be sent until its settings change: it is never bound, and tells why. */
export function unusableGateway(reason: string): OpenGateway<{ window: number; tps: number }> {
  return (settings, events, clock): SmsGateway => {
    const teller = new StateTeller(new RateLimiter(settings), events, clock)
    queueMicrotask(() => teller.failed(reason)) // whoever opens it has it by then
    return {
      get state(): GatewayState {
        return teller.now
      },
      submit: async () => ({ kind: 'unsent', reason }),
      close: async () => teller.end(),
    }
  }
}
