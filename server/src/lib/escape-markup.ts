/** As text of an element, or of an attribute in quotes, of HTML or XML. What XML cannot hold is not looked at. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
