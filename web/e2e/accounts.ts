import { planRoutes } from '@ghanti/contract/plans.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import { signInOver } from '../../server/src/testing/wire.ts'
import { address, password } from './console.ts'

/** `name`: of the person and the company. */
export type NewUser = { name: string; number: string; username: string; password: string; emailid: string }

/** A user of the demo's reseller, with one channel and nothing else. Returns its id. */
export async function newUser({ name, ...more }: NewUser): Promise<number> {
  const reseller = await signInOver(address, 'reseller', password)
  const [plan] = await reseller.ask(planRoutes.choices, { userId: reseller.userId })
  const person = { name, company: name, address: 'Pokhara', pincode: '33700' }
  const kind = { accountType: 0, userType: 'user', channels: 1, planId: plan?.planId ?? 0 }
  const { userId } = await reseller.ask(userRoutes.register, { ...person, ...more, ...kind })
  return userId
}
