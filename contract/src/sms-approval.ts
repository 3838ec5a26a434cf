/** Wire codes of approvals of sender IDs and texts. */
export const approvalCode = { pending: 0, approved: 1, rejected: 2 } as const
export type Approval = keyof typeof approvalCode
export const approvals = ['pending', 'approved', 'rejected'] as const satisfies readonly Approval[]
/** The codes as query strings. */
export const approvalCodes = ['0', '1', '2'] as const
export const approvalLabel: Record<Approval, string> = {
  pending: 'Pending',
  approved: 'Approved',
  rejected: 'Rejected',
}
