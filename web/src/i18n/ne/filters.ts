import type { texts as english } from '../en/filters.ts'

export const texts: typeof english = {
  search: 'खोज्नुहोस्',
  nothingFound: 'केही भेटिएन',
  apply: 'लागू गर्नुहोस्',
  back: 'सबै फिल्टर',
  bar: 'फिल्टरहरू',
  add: 'फिल्टर',
  count: (count) => `फिल्टर (${count})`,
  edit: (filter) => `${filter} फिल्टर बदल्नुहोस्`,
  remove: (filter) => `${filter} फिल्टर हटाउनुहोस्`,
  unknown: (key) => `यो ठेगानाले मागेको फिल्टर छैन: ${key}। त्यो छोडियो।`,
  wrong: (filter, value) => `“${filter}” फिल्टर “${value}” हुन सक्दैन। त्यो छोडियो।`,
  gone: (id) => `अब छैन (${id})`,
  between: (first, last) => `${first} – ${last}`,
  since: (day) => `${day} देखि`,
  until: (day) => `${day} सम्म`,
  recent: {
    today: 'आज',
    yesterday: 'हिजो',
    last7: 'पछिल्ला ७ दिन',
    last30: 'पछिल्ला ३० दिन',
    thisMonth: 'यो महिना',
    lastMonth: 'अघिल्लो महिना',
  },
}
