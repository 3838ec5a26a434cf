import { ownValue } from '@ghanti/contract/own-values.ts'
import type { GatewayDetail } from '@ghanti/contract/sms-gateways.ts'
import type { ReactNode } from 'react'
import type { Form } from '../../components/form/field.ts'
import layout from '../../components/form/Form.module.css'
import { TypedRow } from '../../components/form/typed/TypedRow.tsx'
import { useTexts } from '../../i18n/language.ts'
import { gatewayRows, type GatewayName, type gatewayParts, type GatewayValues } from './gateway-form.ts'

type Part = (typeof gatewayParts)[number]
type RowsProps = { form: Form<GatewayValues>; gateway: GatewayDetail | null; part?: Part }

/** The fields of a part of the form, or those above all parts. */
export function GatewayRows({ form, gateway, part }: RowsProps) {
  const t = useTexts('gatewayForms')
  const { drivers } = useTexts('gateways')
  const isKept = (name: GatewayName) => (name === 'receiptSecret' ? gateway?.hasReceiptSecret : gateway?.hasSecret)
  const hints = Object.fromEntries(Object.entries(t.hints).filter(([, hint]) => typeof hint === 'string'))
  const hintOf = (name: string): string | undefined => ownValue(hints as Readonly<Record<string, string>>, name)
  return gatewayRows.map(([name, field]) =>
    field.part === part ? (
      <TypedRow
        key={name}
        form={form}
        name={name}
        field={field}
        label={t.fields[name]}
        hint={field.kind === 'secret' && isKept(name) ? t.hints.kept : hintOf(field.hint ?? name)}
        words={name === 'driver' ? drivers : field.words?.(t)}
      />
    ) : null,
  )
}

/** A part with its heading, and what stands between it and the fields. */
export function GatewayPart({
  part,
  hint,
  children,
  ...rows
}: RowsProps & { part: Part; hint?: string; children?: ReactNode }) {
  const { sections } = useTexts('gatewayForms')
  return (
    <section className={layout.group} aria-labelledby={part}>
      <div>
        <h2 id={part}>{sections[part]}</h2>
        <p className={layout.hint}>{hint ?? sections.secret}</p>
        {part === 'callback' && children}
      </div>
      {part !== 'callback' && children}
      <GatewayRows part={part} {...rows} />
    </section>
  )
}
