import type { texts as english } from '../en/list-hints.ts'

export const texts: typeof english = {
  tooFar: (rows) => `पहिला ${rows} पङ्क्तिसम्म मात्र हेर्न मिल्छ। खोजेर सूची सानो बनाउनुहोस्।`,
  searchedTo: (time: string) =>
    `${time} सम्मका पङ्क्ति मात्र हेरियो। अरू हेर्न दिन छान्नुहोस्, वा लगातार तीन अक्षर (a देखि z) वा अङ्कले खोज्नुहोस्।`,
  archivedTo: (day: string) => `${day} सम्मका अभिलेखमा सारिएका कल यहाँ छैनन्। ती हरेक अभियानको पृष्ठबाट डाउनलोड गर्न मिल्छ।`,
}
