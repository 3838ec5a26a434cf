import type { Handlers } from '../../http/types.ts'
import { downloadTrace, traceOfCall, traceOfTest, trunkQuality } from './actions.ts'

export const traceHandlers: Handlers<'traces'> = {
  ofCall: (ctx, { attemptId }) => traceOfCall(ctx, attemptId),
  ofTest: (ctx, { testId }) => traceOfTest(ctx, testId),
  download: (ctx, { traceId, format }) => downloadTrace(ctx, traceId, format),
  quality: (ctx, { trunkId }) => trunkQuality(ctx, trunkId),
}
