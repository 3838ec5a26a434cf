type NumbersOf = 'calls' | 'messages' | 'list'
const left = { calls: 'it will not be called', messages: 'it will get no message', list: 'it was not added' }
const rowsHave = (rows: string): string => (rows === '1' ? '1 row has' : `${rows} rows have`)

export const texts = {
  inColumn: (rows: string, column: string, of: NumbersOf) =>
    `${rowsHave(rows)} a second number in “${column}”: ${left[of]}.`,
  inCell: (rows: string, of: NumbersOf) => `${rowsHave(rows)} a second number behind the first: ${left[of]}.`,
}
