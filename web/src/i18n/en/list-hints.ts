/** What a list says of rows that it does not show. */
export const texts = {
  tooFar: (rows: string) => `Only the first ${rows} rows can be paged through. Narrow them down by searching.`,
  searchedTo: (time: string) =>
    `Searched back to ${time}. For earlier rows choose days, or search for three letters (a-z) or digits in a row.`,
  archivedTo: (day: string) =>
    `Archived calls, up to ${day}, are not listed here. The page of each campaign has them as a file.`,
}
