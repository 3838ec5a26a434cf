import { operatorNames } from './operator-names.ts'

export const texts = {
  operators: operatorNames,
  title: 'Message Routes',
  subtitle:
    'Which gateways send the messages of a sender ID to an operator. A message takes the route of its sender ID, or else the route for all other sender IDs. Without a route it waits, and its campaign says so.',
  uncovered: (operators: string) =>
    `The routes for all other sender IDs do not cover ${operators}. Messages there wait unless their sender ID has its own route.`,
  create: 'Create Route',
  update: 'Update Route',
  columns: { operators: 'Operators', sender: 'Sender ID', steps: 'Gateways in order', action: 'Action' },
  others: 'All others',
  nameOf: (operators: string, sender: string) => `${operators} · ${sender}`,
  step: (order: string, gateway: string) => `${order}. ${gateway}`,
  weight: (weight: string) => `weight ${weight}`,
  states: { works: 'Works', away: 'Not connected', disabled: 'Disabled', unknown: 'No engine' },
  actions: { update: 'Update', delete: 'Delete' },
  deleteQuestion:
    'Are you sure you want to delete this route? Messages that have no other route wait until there is one.',
  deleteFailed: 'The route was not deleted',
  labels: { routeId: 'The route' },
  created: 'The route was created. It applies from the next message on.',
  updated: 'The route was updated. It applies from the next message on.',
  cancel: 'Cancel',
  fields: {
    operators: 'Operators',
    cliName: 'Sender ID',
    steps: 'Gateways',
    gatewayId: 'Gateway',
    priority: 'Order',
    weight: 'Weight',
  },
  senderHint: 'Leave empty for all sender IDs without a route of their own.',
  stepsHint:
    'Order 1 to 10: working gateways of the lowest order share the messages by weight, 1 to 100. The next order takes over when none of them works.',
  stepTitle: (number: string) => `Gateway ${number}`,
  disabled: (gateway: string) => `${gateway} (disabled)`,
  noGateway: 'No gateways yet',
  add: 'Add a Gateway',
  remove: (number: string) => `Remove gateway ${number}`,
}
