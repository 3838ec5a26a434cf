import type { counting as english } from '../en/sms-counting.ts'

export const counting: typeof english = {
  characters: (count) => `${count} अक्षर`,
  counted: (count, units) => `${count} अक्षर, गणना ${units}`,
  signs: 'मात्रा, आधा र जोडिएका अक्षर छुट्टाछुट्टै गनिन्छन्, र एउटा इमोजी दुई वा बढी गनिन्छ।',
  doubled: (characters) => `यी प्रत्येक दुई गनिन्छन्: ${characters}`,
}
