export const texts = {
  title: 'Operator Contracts',
  subtitle:
    'A contract limits how many calls several trunks of an operator carry at the same time, and how many they begin in a second. The dialers of these trunks share both by what each needs at the moment.',
  create: 'Create Contract',
  update: 'Update Contract',
  columns: {
    contractName: 'Contract Name',
    channels: 'Channels',
    cps: 'CPS',
    dialers: 'In use by dialer',
    trunks: 'Trunks',
    action: 'Action',
  },
  trunkOf: (trunk: string, dialer: string) => `${trunk} (${dialer})`,
  part: (channels: string, granted: string, calls: string, cps: string) =>
    `channels: ${channels} of its ${granted}, calls a second: ${calls} of its ${cps}`,
  idle: 'Not in use',
  noTrunks: 'No trunk belongs to it',
  actions: { update: 'Update', delete: 'Delete' },
  inUse: (count: string) => `Trunks belong to it: ${count}. Take them out first.`,
  deleteQuestion: 'Are you sure you want to delete this contract?',
  deleteFailed: 'The contract was not deleted',
  labels: { contractId: 'The contract' },
  created: 'The contract was created. Choose it in the form of each trunk that belongs to it.',
  updated: 'The contract was updated. Dialers keep to it within two seconds; calls in progress continue.',
  cancel: 'Cancel',
  fields: { contractName: 'Contract name', channels: 'Channels', cps: 'Calls per second' },
  hints: {
    channels: 'Calls at the same time over all its trunks together, agents’ legs and test calls included.',
    cps: 'New calls a second over all its trunks together, agents’ legs and test calls included.',
  },
}
