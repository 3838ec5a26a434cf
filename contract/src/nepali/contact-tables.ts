/** Why an Excel file, or a file's columns, cannot be read; continues a sentence after the field's label. */
export const contactTableTexts: readonly [RegExp | string, string][] = [
  [
    'is an old Excel file (.xls) or has a password: save it as .xlsx without a password',
    'पुरानो एक्सेल फाइल (.xls) हो वा यसमा पासवर्ड छ: पासवर्ड नराखी .xlsx मा सेभ गर्नुहोस्',
  ],
  [
    'is a binary Excel file (.xlsb): save it in Excel as "Excel Workbook (.xlsx)"',
    'बाइनरी एक्सेल फाइल (.xlsb) हो: एक्सेलमा “Excel Workbook (.xlsx)” छानेर सेभ गर्नुहोस्',
  ],
  [
    'is an OpenDocument spreadsheet (.ods): save it as "Excel 2007–365 (.xlsx)"',
    'ओपनडकुमेन्ट स्प्रेडसिट (.ods) हो: “Excel 2007–365 (.xlsx)” छानेर सेभ गर्नुहोस्',
  ],
  [
    'is a file of Apple Numbers (.numbers): choose File, Export To, Excel there',
    'एप्पल नम्बर्सको फाइल (.numbers) हो: त्यहाँ File, Export To, Excel छान्नुहोस्',
  ],
  ['is a zip file: unpack it, and upload the file inside', 'जिप फाइल हो: यसलाई खोलेर भित्रको फाइल अपलोड गर्नुहोस्'],
  [
    'is a Word file: copy its table into Excel and save it there as .xlsx',
    'वर्ड फाइल हो: यसको तालिका एक्सेलमा कपी गरेर .xlsx मा सेभ गर्नुहोस्',
  ],
  [
    'is a web page, which some programs call .xls: open it in Excel and save it as .xlsx',
    'वेब पेज हो, जसलाई कुनै-कुनै प्रोग्रामले .xls भन्छन्: एक्सेलमा खोलेर .xlsx मा सेभ गर्नुहोस्',
  ],
  ['is an XML file: open it in Excel and save it as .xlsx', 'XML फाइल हो: एक्सेलमा खोलेर .xlsx मा सेभ गर्नुहोस्'],
  [
    'is a PDF: upload the Excel or CSV file that it was made from',
    'PDF फाइल हो: यो जुन एक्सेल वा CSV फाइलबाट बनेको हो, त्यही अपलोड गर्नुहोस्',
  ],
  [
    /^has ([\d,]+) rows? that (?:is|are) hidden in the sheet: say whether to take them$/,
    'को सिटमा {#1} पङ्क्ति लुकाइएका छन्: ती पनि लिने कि नलिने भन्नुहोस्',
  ],
  [
    'is a formula without a result: open the file in Excel, save it there and upload it again',
    'नतिजा नभएको सूत्र हो: फाइल एक्सेलमा खोलेर सेभ गर्नुहोस्, अनि फेरि अपलोड गर्नुहोस्',
  ],
  [
    /^(.+) is a formula without a result: open the file in Excel, save it there and upload it again$/s,
    '{1} नतिजा नभएको सूत्र हो: फाइल एक्सेलमा खोलेर सेभ गर्नुहोस्, अनि फेरि अपलोड गर्नुहोस्',
  ],
  [
    'has lost its digits, which became question marks: save the file as "CSV UTF-8"',
    'का अङ्क हराएर प्रश्नचिह्न बनेका छन्: फाइल “CSV UTF-8” मा सेभ गर्नुहोस्',
  ],
  ["must be 'take' or 'leave'", '“take” वा “leave” हुनुपर्छ'],
  ['is not an Excel file', 'एक्सेल फाइल होइन'],
  ['has no rows in any sheet that is not hidden', 'को देखिने कुनै सिटमा पङ्क्ति छैन'],
  [/^has rows in the sheets (.+): say which one$/, 'का यी सिटमा पङ्क्ति छन्: {1}। कुन सिट हो भन्नुहोस्'],
  [/^has no rows in a sheet '(.+)': it has them in (.+)$/, 'को “{1}” नामको सिटमा पङ्क्ति छैन: पङ्क्ति यी सिटमा छन्: {2}'],
  [/^has numbers in the columns (.+): say which one to use$/s, 'का यी स्तम्भमा नम्बर छन्: {1}। कुन प्रयोग गर्ने हो भन्नुहोस्'],
  [
    'has no column in which most cells are numbers: say which one it is',
    'मा धेरैजसो नम्बर मात्र भएको स्तम्भ छैन: नम्बर कुन स्तम्भमा छ भन्नुहोस्',
  ],
  [/^holds more than (\d+) MB when it is unpacked$/, 'खोल्दा {#1} MB भन्दा ठूलो हुन्छ'],
  ['has a cell that is too long', 'मा धेरै लामो कोष्ठ छ'],
  [/^has a cell that is too long in the sheet '(.+)'$/, 'को सिट “{1}” मा धेरै लामो कोष्ठ छ'],
  ['has too many different texts: split it', 'मा धेरै थरीका पाठ छन्: फाइल टुक्र्याउनुहोस्'],
  ['has too many sheets: split it', 'मा धेरै सिट छन्: फाइल टुक्र्याउनुहोस्'],
  ['has too much text: split it', 'मा धेरै पाठ छ: फाइल टुक्र्याउनुहोस्'],
  [
    /^has more than (\d+) MB of text in the sheet '(.+)': take columns out or split it$/,
    'को सिट “{2}” मा {#1} MB भन्दा बढी पाठ छ: केही स्तम्भ हटाउनुहोस् वा फाइल टुक्र्याउनुहोस्',
  ],
  [
    /^has more than (\d+) MB of text: take columns out or split it$/,
    'मा {#1} MB भन्दा बढी पाठ छ: केही स्तम्भ हटाउनुहोस् वा फाइल टुक्र्याउनुहोस्',
  ],
  [/^has rows in no order below row (\d+) in the sheet '(.+)'$/, 'को सिट “{2}” मा पङ्क्ति {#1} पछिका पङ्क्ति क्रममा छैनन्'],
  [
    'cannot be read: the Excel file is damaged. Open it in Excel and save it again',
    'पढ्न सकिएन: एक्सेल फाइल बिग्रिएको छ। एक्सेलमा खोलेर फेरि सेभ गर्नुहोस्',
  ],
  [
    /^cannot be read in the sheet '(.+)': the Excel file is damaged\. Open it in Excel and save it again$/,
    'को सिट “{1}” पढ्न सकिएन: एक्सेल फाइल बिग्रिएको छ। एक्सेलमा खोलेर फेरि सेभ गर्नुहोस्',
  ],
  [
    /^has no number that can be called in its (\d+) rows? of the sheet '(.+)'$/,
    'को सिट “{2}” का {#1} पङ्क्तिमध्ये कुनैमा पनि कल गर्न मिल्ने नम्बर छैन',
  ],
  [/^has no number that can be called in the sheet '(.+)'$/, 'को सिट “{1}” मा कल गर्न मिल्ने नम्बर छैन'],
  [
    'names its columns, which the stored file does not: send only numbers, or leave the names out',
    'मा स्तम्भका नाम छन्, तर राखिएको फाइलमा छैनन्: नम्बर मात्र पठाउनुहोस् वा नाम हटाउनुहोस्',
  ],
  [
    /^has more columns than the stored file: the columns of that are (\d+)$/,
    'मा राखिएको फाइलमा भन्दा बढी स्तम्भ छन्: त्यसमा {#1} स्तम्भ छन्',
  ],
  [/^would have more than (\d+) columns with the stored file$/, 'मिसाउँदा राखिएको फाइलमा {#1} भन्दा बढी स्तम्भ हुन्थे'],
  [
    'has a column that would be taken for the number of the stored file: give it another name',
    'मा नम्बर ठानिने अर्को स्तम्भ छ: त्यसको नाम बदल्नुहोस्',
  ],
  ['the row has more columns than the first one', 'पङ्क्तिमा पहिलो पङ्क्तिमा भन्दा बढी स्तम्भ छन्'],
  ['got other rows meanwhile: look at it and try again', 'मा यसबीच अरू पङ्क्ति थपिए: हेरेर फेरि प्रयास गर्नुहोस्'],
  ['is being read for a campaign: try again in a minute', 'अभियानका लागि पढिँदै छ: एक मिनेटपछि फेरि प्रयास गर्नुहोस्'],
  ['must be the name of a sheet', 'सिटको नाम हुनुपर्छ'],
  [
    'must say the column of the number, whether the first row is a header, and names',
    'मा नम्बरको स्तम्भ, पहिलो पङ्क्ति शीर्षक हो वा होइन, र नामहरू हुनुपर्छ',
  ],
  ['has too many names', 'मा धेरै नाम छन्'],
  ["must be 'yes' or absent", '“yes” हुनुपर्छ वा खाली हुनुपर्छ'],
]
