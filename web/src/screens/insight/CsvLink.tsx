import { useTexts } from '../../i18n/language.ts'

export function CsvLink({ href, of }: { href: string; of: string }) {
  const { table } = useTexts('common')
  return (
    <a href={href} download aria-label={`${table.exportCsv}: ${of}`}>
      {table.exportCsv}
    </a>
  )
}
