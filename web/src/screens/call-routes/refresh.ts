import { callRouteRoutes } from '@ghanti/contract/call-routes.ts'
import { lineRoutes } from '@ghanti/contract/lines.ts'
import { refresh } from '../../api/query.ts'

/** After every change, refused ones included. Caller IDs show the name of their route. */
export const refreshRoutes = () => refresh(callRouteRoutes.list, lineRoutes.all, lineRoutes.clisOfUser)
