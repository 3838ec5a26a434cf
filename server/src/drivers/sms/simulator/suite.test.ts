import { systemClock } from '../../../clock.ts'
import { smsSuite } from '../suite.ts'
import { simulatedGateways } from './simulator.ts'

smsSuite('simulated gateway', async () => {
  const open = simulatedGateways(30)
  return {
    open: (events) => open({ driver: 'simulator', window: 10, tps: 500, fault: null }, events, systemClock),
    async close() {},
  }
})
