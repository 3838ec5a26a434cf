import type { GatewayState, OpenGateway, SmsGateway } from './driver.ts'
import { RateLimiter } from './rate-limiter.ts'
import { StateTeller } from './state.ts'

/** A gateway to which nothing can be sent until its settings change. It is never bound, and reports why. */
export function unusableGateway(reason: string): OpenGateway<{ window: number; tps: number }> {
  return (settings, events, clock): SmsGateway => {
    const teller = new StateTeller(new RateLimiter(settings), events, clock)
    queueMicrotask(() => teller.failed(reason)) // by then the caller of open has its gateway
    return {
      get state(): GatewayState {
        return teller.now
      },
      submit: async () => ({ kind: 'unsent', reason }),
      close: async () => teller.end(),
    }
  }
}
