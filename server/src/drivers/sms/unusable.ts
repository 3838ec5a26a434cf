import type { GatewayState, OpenGateway, SmsGateway } from './driver.ts'
import { RateLimiter } from './rate-limiter.ts'
import { StateReporter } from './state.ts'

/** A gateway that cannot be used until its settings change. It is never bound, and reports why. */
export function unusableGateway(reason: string): OpenGateway<{ window: number; tps: number }> {
  return (settings, events, clock): SmsGateway => {
    const reporter = new StateReporter(new RateLimiter(settings), events, clock)
    queueMicrotask(() => reporter.failed(reason)) // deferred, so that the caller of open has its gateway by then
    return {
      get state(): GatewayState {
        return reporter.now
      },
      submit: async () => ({ kind: 'unsent', reason }),
      close: async () => reporter.end(),
    }
  }
}
