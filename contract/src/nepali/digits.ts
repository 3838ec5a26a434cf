export function nepaliDigits(text: string): string {
  return text.replace(/\d/g, (digit) => String.fromCharCode(0x0966 + Number(digit)))
}
