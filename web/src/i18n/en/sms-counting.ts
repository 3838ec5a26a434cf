/** How long a message is, wherever one is written. `units`: what is charged. */
export const counting = {
  characters: (count: string) => (count === '1' ? '1 character' : `${count} characters`),
  counted: (count: string, units: string) =>
    `${count === '1' ? '1 character' : `${count} characters`}, counted as ${units}`,
  /** Why more is counted than seen: of a text in Unicode, and of these characters of others. */
  signs: 'Vowel signs, half letters and joined letters count one by one, and an emoji counts as two or more.',
  doubled: (characters: string) => `These count as two each: ${characters}`,
}
