import { contractRoutes } from '@ghanti/contract/contracts.ts'
import { trunkRoutes } from '@ghanti/contract/trunks.ts'
import { refresh } from '../../api/query.ts'

/** After every change, refused ones included. Trunks show the name of their contract. */
export const refreshContracts = () => refresh(contractRoutes.list, trunkRoutes.list)
