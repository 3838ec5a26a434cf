import type { texts as english } from '../en/not-found.ts'

export const texts: typeof english = {
  title: 'यस्तो पृष्ठ छैन',
  hint: 'ठेगाना गलत लेखिएको हुन सक्छ, वा यो पृष्ठ तपाईँको खाताले हेर्न मिल्दैन।',
}
