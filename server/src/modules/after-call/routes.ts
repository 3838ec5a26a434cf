import { messages } from '@ghanti/contract/messages.ts'
import { badField } from '../../errors.ts'
import type { Handlers } from '../../http/types.ts'
import { testText } from '../sms-campaigns/actions-test.ts'
import { testAddress } from './actions.ts'
import { textToTest, words } from './rules.ts'

export const afterCallHandlers: Handlers<'afterCall'> = {
  async test(ctx, input) {
    const text = textToTest(input)
    if (!text) return { ...(await testAddress(ctx, input)), campaignId: null }
    if (input.smsCli === undefined) throw badField('smsCli', words.noSender, 'required')
    return { message: messages.success, ...(await testText(ctx, { ...input, ...text, smsCli: input.smsCli })) }
  },
}
