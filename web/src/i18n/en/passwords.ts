export const texts = {
  strength: 'Strength of the password',
  short: 'Too short: at least 8 characters',
  guessable: 'Easy to guess: use several words that have nothing to do with each other',
  names: 'Made of names that others know',
  fair: 'Fair',
  good: 'Good',
  strong: 'Strong',
}
