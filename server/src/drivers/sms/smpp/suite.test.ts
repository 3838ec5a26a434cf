import { systemClock } from '../../../clock.ts'
import { smsSuite } from '../suite.ts'
import { usualTimes } from './link.ts'
import { smppGateways } from './smpp.ts'
import { settingsFor, testSmsc } from './testing.ts'

for (const bind of ['transceiver', 'pair'] as const)
  smsSuite(`SMPP as ${bind}`, async () => {
    const smsc = await testSmsc()
    return {
      open: (events) => smppGateways({ ...usualTimes, closeMs: 500 })(settingsFor(smsc, { bind }), events, systemClock),
      close: () => smsc.stop(),
    }
  })
