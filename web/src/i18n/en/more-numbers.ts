type NumbersOf = 'calls' | 'messages' | 'list'
const left = { calls: 'it will not be called', messages: 'it will get no message', list: 'it was not added' }
const rowsHave = (rows: string): string => (rows === '1' ? '1 row has' : `${rows} rows have`)

export const texts = {
  inColumn: (rows: string, column: string, of: NumbersOf) =>
    `${rowsHave(rows)} a second number in “${column}”: ${left[of]}.`,
  inCell: (rows: string, of: NumbersOf) => `${rowsHave(rows)} a second number behind the first: ${left[of]}.`,
  above: (lines: string, of: NumbersOf) =>
    `${lines === '1' ? '1 line above the column names has' : `${lines} lines above the column names have`} a number: ${left[of]}.`,
  sheet: (name: string) => `The sheet “${name}” has numbers too and was not read: upload it separately.`,
  hiddenSheet: (name: string) =>
    `The hidden sheet “${name}” has numbers and was not read: show it in Excel to upload it.`,
}
