/** Wire codes of approvals of sender IDs and texts. */
export const approvalCode = { pending: 0, approved: 1, rejected: 2 } as const
export type Approval = keyof typeof approvalCode
const approvals = ['pending', 'approved', 'rejected'] as const satisfies readonly Approval[]
export const approvalCodes = ['0', '1', '2'] as const
/** The approvals of a list's filter; undefined without one. */
export function approvalsOf(codes: readonly string[] | undefined): Approval[] | undefined {
  return codes && approvals.filter((approval) => codes.includes(String(approvalCode[approval])))
}
export const approvalLabel: Record<Approval, string> = {
  pending: 'Pending',
  approved: 'Approved',
  rejected: 'Rejected',
}
