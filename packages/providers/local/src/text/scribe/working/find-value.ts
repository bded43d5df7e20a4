/** Reads facts that a text states about named fields: `Ada is 36` has a name and an age. */

const proper = String.raw`(\p{Lu}[\p{L}’'-]+(?: \p{Lu}[\p{L}’'-]+){0,3})`
const notNames =
  /^(?:I|It|This|That|These|Those|The|A|An|He|She|They|We|You|What|Who|There|Here|My|Our|Your|His|Her|Their|Extract|Return|Give|Get|Make|Create|Generate|Convert|Write|Please|Json|JSON|Name|Age|Today|Tomorrow)\b/

/** By the last word of a field's name. The first pattern that matches is used. */
const patterns: Readonly<Record<string, readonly RegExp[]>> = {
  age: [
    /\b(\d{1,3})[- ]years?[- ]old\b/iu,
    /\b(?:aged?|turn(?:s|ed|ing)?) (\d{1,3})\b/iu,
    /\p{L} (?:is|am|was) (\d{1,3})\b(?! ?[%$€£]| (?:euros?|dollars?|percent|items?|km|miles))/iu,
    /\p{Lu}[\p{L} ]+, (\d{1,3})\b/u,
  ],
  name: [
    new RegExp(`\\b(?:named|called|name is|name's|[Ii] am|I'm) ${proper}`, 'u'),
    new RegExp(
      `(?<![\\p{L}\\p{N}])${proper}(?= (?:is|was|has|lives|works|wrote|said|from|aged)\\b|, (?:\\d|an?\\b|who\\b))`,
      'u',
    ),
  ],
  email: [/([\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+)/u],
  url: [/(https?:\/\/[^\s<>"')]{1,200}[^\s<>"').,])/u],
  phone: [/(\+?\d[\d ()-]{6,18}\d)/u],
  date: [
    /\b(\d{4}-\d\d-\d\d)\b/u,
    /\b((?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?)\b/u,
    /\b(\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December)(?: \d{4})?)\b/u,
    /\b((?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b/u,
  ],
  city: [new RegExp(`\\b(?:lives? in|born in|based in|from|in|to|near) ${proper}`, 'u')],
  company: [new RegExp(`\\b(?:works? (?:at|for)|employed (?:at|by)|at) ${proper}`, 'u')],
  job: [/\b(?:is|as|am) an? ([\p{Ll}][\p{Ll} -]{2,40}?)(?= (?:from|in|at|who|and|with)\b|[,.;]|$)/u],
  price: [
    /[$€£] ?(\d+(?:,\d{3})*(?:\.\d+)?)/u,
    /\b(\d+(?:,\d{3})*(?:\.\d+)?) ?(?:dollars|euros|pounds|USD|EUR|GBP)\b/u,
  ],
  quantity: [/(?<![\w$€£.,-])(\d{1,9})(?![\w%]|[.,:-]\d)/u],
}
const synonyms: Readonly<Record<string, string>> = {
  person: 'name',
  years: 'age',
  mail: 'email',
  address: 'email',
  website: 'url',
  link: 'url',
  telephone: 'phone',
  day: 'date',
  deadline: 'date',
  location: 'city',
  place: 'city',
  town: 'city',
  country: 'city',
  employer: 'company',
  organization: 'company',
  occupation: 'job',
  profession: 'job',
  role: 'job',
  cost: 'price',
  amount: 'price',
  total: 'price',
  count: 'quantity',
  number: 'quantity',
}

/** Facts stand early in a text; names of fields are short. */
const mostRead = 2_000
const longestName = 64

/** The texts that a field might have, the likeliest first. */
export function valuesFor(field: string, given: string): string[] {
  const text = given.slice(0, mostRead)
  const words =
    field
      .slice(0, longestName)
      .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  const last = words.at(-1)
  if (last === undefined) return []
  const stated = new RegExp(
    `(?<![\\p{L}\\p{N}])${words.join('[ _-]?')}["'”]?(?:\\s{0,4}[:=]\\s{0,4}| (?:is|was) )["'“]?([^"“”,;\\n]{1,120}?)(?=["”'’]|[,;\\n]|\\.(?:\\s|$)| (?:and|who|which|with|but) |$)`,
    'iu',
  ).exec(text)?.[1]
  // "customer Maria Lopez"
  const [first = '', rest = ''] = [words.join(' ').slice(0, 1), words.join(' ').slice(1)]
  const beside = new RegExp(`(?<![\\p{L}\\p{N}])[${first}${first.toUpperCase()}]${rest}:? ${proper}`, 'u')
  const known = patterns[last] ?? (Object.hasOwn(synonyms, last) ? patterns[synonyms[last]!] : undefined) ?? []
  const found = Array.isArray(known) ? known.map((pattern: RegExp) => nameIn(pattern, text)) : []
  return [stated?.trim(), nameIn(beside, text), ...found].filter(
    (value) => value !== undefined && value !== '',
  ) as string[]
}

/** The first match that is no small word with a capital. */
function nameIn(pattern: RegExp, text: string): string | undefined {
  for (const [, value] of text.matchAll(new RegExp(pattern.source, `${pattern.flags}g`)))
    if (value !== undefined && !notNames.test(value)) return value
  return undefined
}

/** A number as texts write it: `1,200`, `$5`, `36`. */
export function numberIn(text: string): number | undefined {
  const bare = text
    .trim()
    .replace(/^[$€£]\s?|\s?(?:%|years?|dollars|euros|pounds)$/g, '')
    .replaceAll(/,(?=\d{3}\b)/g, '')
  return /^-?\d+(?:\.\d+)?$/.test(bare) ? Number(bare) : undefined
}
