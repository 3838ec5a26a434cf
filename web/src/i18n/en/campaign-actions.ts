import { texts as holds } from './holds.ts'

export const texts = {
  /** Loaded with the actions, because a hold has a button. */
  holds,
  questions: {
    pause: 'Are you sure you want to pause this campaign?',
    resume: 'Are you sure you want to resume this campaign?',
    stop: 'Are you sure you want to stop this campaign?',
    retry: 'Are you sure you want to retry this campaign?',
    generateReport: 'Are you sure you want to generate the report of this campaign?',
  },
  questionsOfMany: {
    pause: (count: string) => `Are you sure you want to pause these ${count} campaigns?`,
    resume: (count: string) => `Are you sure you want to resume these ${count} campaigns?`,
    stop: (count: string) => `Are you sure you want to stop these ${count} campaigns?`,
  },
  retryInvalid: 'Also call the invalid numbers',
  retryOnlyInvalid: 'Nobody else is left to call: a retry calls these.',
  retryInvalidHint: 'The operator reported that these numbers do not exist. Choose this if the numbers were correct.',
  stopNow: 'End answered calls at once',
  stopNowHint: 'Otherwise calls in progress continue until they end. Ringing calls are cancelled in either case.',
  textsHints: {
    pause: 'Messages of earlier calls are still sent. To hold them, pause its SMS campaign too.',
    stop: 'Unsent messages of its SMS campaign will not be sent, and their money is given back.',
    retry: 'Its SMS campaign continues with the new calls, unless it was stopped. No number gets a text twice.',
  },
}
