import { nameInMail } from '../mail/rules.ts'

/** In both languages: only the reader's browser knows which one they prefer. */
export function resetMail({ username, link }: { username: string; link: string }): { subject: string; text: string } {
  const name = nameInMail(username)
  return {
    subject: 'Reset your password · पासवर्ड बदल्ने लिङ्क',
    text: `Somebody asked for a new password for ${name === null ? 'your account' : `the account '${name}'`}.
Choose it here, within 30 minutes:

${link}

The link works once. If it was not you, do nothing: your password stays as it is.

${name === null ? 'तपाईँको' : `“${name}”`} खाताको नयाँ पासवर्डका लागि अनुरोध आएको छ।
माथिको लिङ्कबाट ३० मिनेटभित्र नयाँ पासवर्ड छान्नुहोस्। लिङ्क एक पटक मात्र चल्छ।
तपाईँले अनुरोध गर्नुभएको होइन भने केही गर्नुपर्दैन, पासवर्ड जस्ताको त्यस्तै रहन्छ।
`,
  }
}
