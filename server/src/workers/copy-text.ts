const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** A text as COPY's text format takes it. */
export function copyEscaped(text: string): string {
  return text.replace(/[\\\t\n\r]/g, (sign) => escapes[sign] ?? sign)
}
