const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
export const contactFileTypes = `.csv,.txt,.xlsx,.vcf,text/csv,text/plain,text/vcard,text/x-vcard,${workbookType}`
