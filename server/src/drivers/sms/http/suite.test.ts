import { systemClock } from '../../../clock.ts'
import { incomingIn, receiptIn } from '../../../lib/sms-callback.ts'
import { smsSuite } from '../suite.ts'
import { httpGateways } from './http.ts'
import { httpSettingsFor, TestAggregator } from './testing.ts'

const receipt = { id: 'message_id', status: 'status', delivered: ['delivered'], failed: ['failed', 'expired'] }
const incoming = { from: 'sender', to: 'receiver', text: 'message' }
const here = { loopbackOnly: true, privateHosts: [] }

smsSuite(
  'HTTP',
  async () => {
    const aggregator = await TestAggregator.listen()
    const open = httpGateways(here, { answerMs: 5000, closeMs: 500 })
    return {
      open(events) {
        aggregator.callback = async (parameters) => {
          const now = systemClock.now()
          const parsed = receiptIn(receipt, parameters, now)
          const message = incomingIn(incoming, parameters, now)
          if (parsed) await events.receipts([parsed])
          if (message) await events.incoming([message])
        }
        return open(httpSettingsFor(aggregator), events, systemClock)
      },
      close: () => aggregator.close(),
    }
  },
  { splits: false },
)
