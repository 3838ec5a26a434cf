/** For text of an element, or of a quoted attribute, in HTML or XML. Does not look for characters that XML forbids. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
