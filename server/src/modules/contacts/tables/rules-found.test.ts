import { expect, test } from 'vitest'
import { findTable } from './rules-found.ts'

type Case = {
  why: string
  text: string
  found: Partial<ReturnType<typeof findTable>>
}
const rowsOf = (text: string) =>
  text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [{ line: at + 1, cells: line.split(',') }]))

test.each<Case>([
  {
    why: 'a header below titles and an empty line',
    text: 'Shree Coop\n\nS.N.,Name,Mobile,Amount\n1,Sita,9841000032,500\n2,Ram,9841000033,600',
    found: { line: 3, header: true, number: 2, close: [] },
  },
  {
    why: 'a header without known names below titles of figures',
    text: 'Shree Coop 2083\nDate:,2083-08-01\nName,Viber,Due\nSita,9841000032,500',
    found: { line: 3, header: true, number: 1 },
  },
  {
    why: 'a header below a title with the telephone number of the sender',
    text: 'Tel: 01-5970123\nMobile,Name\n9841000032,Sita',
    found: { line: 2, header: true, number: 0 },
  },
  {
    why: 'a header below a title that begins like its name, in a file of one column',
    text: 'Mobile numbers of members\nMobile\n9841000032',
    found: { line: 2, header: true, number: 0 },
  },
  {
    why: 'no header among numbers behind what they are, which are rows',
    text: 'Mobile: 9841000032\nMobile: 9841000033\nPhone: 9841000034',
    found: { line: 1, header: false, number: 0 },
  },
  {
    why: 'the header above numbers behind what they are',
    text: 'Members\nMobile\nMob: 9841000032\nMob: 9841000033',
    found: { line: 2, header: true, number: 0 },
  },
  {
    why: 'a bare number above a header as a row, which is never passed over',
    text: '9841000031\nmobile,name\n9841000032,Sita',
    found: { line: 1, header: false, number: 0 },
  },
  {
    why: 'the numbers and not what is called Contact Name',
    text: 'Contact Name,Mob No,Amount\nSita,9841000061,500\nRam,9841000062,600',
    found: { line: 1, header: true, number: 1 },
  },
  {
    why: 'the numbers and not the model of a phone',
    text: 'Phone Model,Customer,Viber\nNokia 3310,Sita,9841000061',
    found: { header: true, number: 2 },
  },
  {
    why: 'the value and not the label of a phone, as Google exports them',
    text: 'First Name,Phone 1 - Label,Phone 1 - Value,Phone 2 - Value\nSita,Mobile,+977 984-1000022,01-5970123\nRam,Mobile,9841000023,',
    found: { line: 1, header: true, number: 2, close: [] },
  },
  {
    why: 'mobiles and not accounts that look like landlines',
    text: 'account,cell no\n015970123,9841000023\n015970124,9841000024\n015970125,',
    found: { number: 1 },
  },
  {
    why: 'a column of numbers without a header',
    text: 'Sita,9841000023\nRam,9841000024',
    found: { line: 1, header: false, number: 1 },
  },
  {
    why: 'the named one of two columns that are full of numbers',
    text: 'name,guardian,mobile\nSita,9841000023,9841000024\nRam,9841000025,9841000026',
    found: { number: 2, close: [] },
  },
  {
    why: 'two columns between which neither names nor cells decide, to be asked about',
    text: 'name,Mobile 1,Mobile 2\nSita,9841000023,9841000024\nRam,9841000025,9841000026',
    found: { number: null, likely: 1, close: ['Mobile 1', 'Mobile 2'] },
  },
  {
    why: 'two columns without names, to be asked about',
    text: '9841000023,9841000024\n9841000025,9841000026',
    found: { header: false, number: null, likely: 0, close: ['column 1', 'column 2'] },
  },
  {
    why: 'the fuller of two columns',
    text: 'Phone 1,Phone 2\n9841000023,9841000024\n9841000025,\n9841000026,',
    found: { number: 0 },
  },
  {
    why: 'a number in a remark, which makes no column of numbers, to be asked about',
    text: 'mobile,remark\n98410000,ring 1\n98410001,9841000026\n98410002,ring 2\n98410003,no',
    found: { number: null, likely: 0 },
  },
  {
    why: 'the named column where no number can be called',
    text: 'name,mobile\nSita,98410\nRam,98411',
    found: { line: 1, header: true, number: 1 },
  },
  {
    why: 'no column of numbers, to be asked about',
    text: 'Who,Where\nRam,Pokhara',
    found: { header: true, number: null },
  },
  { why: 'one column of anything', text: 'Liste\n9841000001', found: { line: 1, header: true, number: 0 } },
  { why: 'nothing in an empty file', text: '', found: { line: 0, number: 0 } },
])('finds $why', ({ text, found }) => {
  expect(findTable(rowsOf(text))).toMatchObject(found)
})
