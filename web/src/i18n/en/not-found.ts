export const texts = {
  title: 'There is no such page',
  hint: 'The address may be mistyped, or the page is not for your role.',
}
