export const texts = {
  groupName: 'Group name',
  submit: 'Save',
  created: 'The group was created. Allocate it as you allocate a CLI.',
  done: 'The group was saved. Calls that begin from now on show its CLIs.',
  failed: 'The group was not saved',
  hint: 'Each call shows one of them. A called number sees the same one again, as long as it is in the group.',
  trunkHint: 'Its calls go over this trunk, or over the route that you choose for the group.',
  members: 'CLIs of the group',
  member: (number: string) => `CLI ${number}`,
  weight: 'Weight',
  add: 'Add CLI',
  remove: (number: string) => `Remove CLI ${number}`,
}
