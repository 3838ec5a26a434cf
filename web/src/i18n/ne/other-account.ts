import type { texts as english } from '../en/other-account.ts'

export const texts: typeof english = {
  otherAccount: (owner) =>
    `यो पृष्ठ ${owner} खाताको हो; यहाँ गरेको कुनै पनि काम अर्को खातामा पुग्दैन। पृष्ठ फेरि लोड नगरेसम्म तपाईँले लेखेको कुरा रहन्छ। ${owner} बाटै काम गर्न अर्को विन्डोमा फेरि ${owner} खाताबाट लगइन गर्नुहोस्।`,
}
