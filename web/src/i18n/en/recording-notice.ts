import { spokenLanguages } from './flow-words.ts'

export const texts = {
  title: 'Notice before recordings',
  note: 'Conversations with agents are recorded. When this is on, both sides hear the notice as soon as they are joined, in the language of the campaign, and are recorded once it has ended. A conversation whose notice cannot be played goes on and is not recorded; the report says so.',
  languages: spokenLanguages,
  missing: 'There is no notice in this language yet.',
  uploaded: 'An uploaded file.',
  spoken: 'Spoken by the speech engine.',
  listen: (length: string) => `Listen (${length})`,
  text: 'What it says',
  proposed: { en: 'This call is recorded.', ne: 'यो कल रेकर्ड गरिन्छ।' },
  speak: 'Speak it',
  upload: 'Upload a wav file',
  file: 'Voice file',
  saved: 'The notice was saved.',
  switch: 'Play the notice before conversations are recorded',
  needsBoth: 'It needs a notice in both languages first.',
  turnOn: 'Play the notice to both sides before recording, from the next conversation on?',
  turnOff: 'Record conversations without a notice, from the next one on?',
  failed: 'The notice was not changed.',
  isOn: 'The notice is played before recordings.',
  isOff: 'Recordings begin without a notice.',
}
