import { smsGatewayRoutes } from '@ghanti/contract/sms-gateways.ts'
import { smsRouteRoutes } from '@ghanti/contract/sms-routes.ts'
import { refresh } from '../../api/query.ts'

/** After every change, even a refused one. Gateways count their routes. */
export const refreshRoutes = () => refresh(smsRouteRoutes.list, smsGatewayRoutes.list)
