import { smsGatewayRoutes } from '@ghanti/contract/sms-gateways.ts'
import { smsRouteRoutes } from '@ghanti/contract/sms-routes.ts'
import { refresh } from '../../api/query.ts'

/** After a change, also one that was refused; gateways say how many routes lead through them. */
export const againRoutes = () => refresh(smsRouteRoutes.list, smsGatewayRoutes.list)
