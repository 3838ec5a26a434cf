import type { Handlers } from '../../http/types.ts'
import { testAddress } from './actions.ts'

export const afterCallHandlers: Handlers<'afterCall'> = {
  test: testAddress,
}
