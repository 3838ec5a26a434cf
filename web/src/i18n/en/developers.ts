export const texts = {
  title: 'Developers',
  subtitle: 'Your own software sends messages, and is told what becomes of them.',
  tabs: { keys: 'Keys', webhooks: 'Webhooks' },
}
