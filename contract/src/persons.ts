import * as z from 'zod/mini'
import { asciiDigits } from './phone.ts'
import { Name, Paragraph, Text, WrittenNumber } from './values.ts'

const EmailId = Text(254).check(
  z.regex(/^[^\s@<>"'(),;:\\[\]]+@[^\s@<>"'(),;:\\[\]]+\.[^\s@<>"'(),;:\\[\].]+$/, {
    error: 'must be an e-mail address',
  }),
)

/** A telephone number of any country, as digits. */
const PhoneNumber = WrittenNumber().check(
  z.minLength(1, { error: 'is required' }),
  z.overwrite((number) => asciiDigits(number).replace(/[\s().-]/g, '')),
  z.regex(/^\+?\d{7,15}$/, { error: 'must be a telephone number' }),
)

/**
 * What is known of the person and the company behind an account. Each is a text, a column of `users` of the same name, a field of the forms
 * and of the replies: whoever adds one follows CONTRIBUTING.md.
 */
export const personShape = {
  name: Name,
  emailid: EmailId,
  number: PhoneNumber,
  company: Name,
  address: Paragraph(500),
  pincode: Text(20),
}
export type PersonField = keyof typeof personShape
export type Person = Record<PersonField, string>
export const personFields = Object.keys(personShape) as PersonField[]

/** The same as a reply has them. */
export const personReply = Object.fromEntries(personFields.map((field) => [field, z.string()])) as Record<
  PersonField,
  z.ZodMiniString
>

/** Of an object that has more. */
export function personOf(from: Person): Person {
  return Object.fromEntries(personFields.map((field) => [field, from[field]])) as Person
}
