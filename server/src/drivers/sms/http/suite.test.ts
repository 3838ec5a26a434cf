import { systemClock } from '../../../clock.ts'
import { incomingIn, receiptsIn } from '../../../lib/sms-callback.ts'
import { smsSuite } from '../suite.ts'
import { httpGateways } from './http.ts'
import { httpSettingsFor, TestAggregator } from './testing.ts'

const receipt = {
  id: 'message_id',
  status: 'status',
  delivered: ['delivered'],
  failed: ['failed', 'expired'],
  pending: [],
}
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
          const content = { fields: parameters, body: parameters }
          const { receipts } = receiptsIn(receipt, content, now)
          const messages = incomingIn(incoming, content, now)
          if (receipts.length > 0) await events.receipts(receipts)
          if (messages.length > 0) await events.incoming(messages)
        }
        return open(httpSettingsFor(aggregator), events, systemClock)
      },
      close: () => aggregator.close(),
    }
  },
  { splits: false },
)
