/** The recipient, the sender, and the namesake of a text. */
export interface People {
  readonly recipient: string | undefined
  readonly sender: string | undefined
  readonly company: string | undefined
  /** Of a product, business, event or person that the text is about. */
  readonly name: string | undefined
  readonly audience: string | undefined
}

export const courtesyTitle = '(?:(?:Mr|Mrs|Ms|Dr|Prof)\\.? )?'
const proper = `${courtesyTitle}[A-Z][\\p{L}’'&-]*(?: (?:[A-Z][\\p{L}’'&-]*|of|van|de))*(?<! of| van| de)`
/** "From Munich to Oslo" is a way, and names nobody. */
const place = '[A-Z][\\p{L}’.-]*'
const notNames =
  /^(I|I’m|I'm|The|A|An|Please|Dear|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December|English|French|German|Spanish|Christmas|Easter|Halloween)\b/
export const roles =
  'sister|brother|husband|wife|aunt|uncle|cousin|daughter|son|mother|father|grandmother|grandfather|girlfriend|boyfriend|best friend|team|customers|colleagues|neighbou?rs|parents|students|members|everyone|all|friends|guests|volunteers|staff|investors|clients|subscribers|landlord|hiring manager|professor|editor|tenant|client|customer|supplier|mom|mum|dad|grandma|grandpa|manager|recruiter|teacher|neighbou?r|principal|boss'
const audiences =
  'kids|children|toddlers|teenagers|teens|students|beginners|adults|seniors|experts|managers|parents|developers|engineers|investors|customers|small businesses|freelancers|travell?ers|hikers|gamers|runners|cyclists|teachers|a child|a (?:five|six|seven|eight|nine|ten)-year-old|a \\d+[- ]year[- ]old|a beginner|non-experts|campers|dog owners|cat owners|families|busy people|new (?:users|parents|employees|hires)'

export function findPeople(instruction: string): People {
  return {
    recipient:
      named(
        instruction,
        `(?:(?<!from ${place} )to|[Dd]ear|[Tt]ell|telling|[Aa]sk|asking|[Tt]hank|thanking|[Ii]nvit(?:e|ing)|[Rr]emind(?:ing)?|[Cc]ongratulat(?:e|ing)|for|interview with) (${proper})`,
      ) ??
      role(instruction) ??
      lowerCaseName(instruction),
    sender: named(
      instruction,
      `(?:from|signed?(?: by| as| off as)?|[Mm]y name is|I am|I'm) (${proper})(?! to ${place}|[\\p{L}’'&-])`,
    ),
    company: named(instruction, `(?:at|with|company|[Cc]ompany called|startup called|on behalf of) (${proper})`),
    name:
      named(instruction, `(?:called|named|for|about|of) ["“]?(${proper})`) ??
      /(?:called|named) ["“]?([\w&’' -]{2,40}?)["”.,]/.exec(`${instruction}.`)?.[1],
    audience: new RegExp(`\\b(?:for|to|aimed at|audience is) (${audiences})\\b`, 'i').exec(instruction)?.[1],
  }
}

function named(instruction: string, pattern: string): string | undefined {
  const name = new RegExp(`\\b${pattern}`, 'u').exec(instruction)?.[1]
  return name === undefined || notNames.test(name) || /['’]s$/.test(name) ? undefined : name
}

/** Whom one greets by the name of the role: "Dear team", but never "Hello boss". */
const greeted =
  /^(?:team|customers|colleagues|neighbou?rs|parents|students|members|everyone|all|friends|guests|volunteers|staff|investors|clients|subscribers|landlord|hiring manager|professor|editor)$/i
const family = /^(?:mom|mum|dad|grandma|grandpa)$/i
const familyNames = new Map(
  Object.entries({ mother: 'mom', father: 'dad', grandmother: 'grandma', grandfather: 'grandpa' }),
)

function role(instruction: string): string | undefined {
  if (/\b(?:to|for) my parents\b/i.test(instruction)) return 'Mom and Dad'
  const found = new RegExp(
    `\\b(?:to|for|tell(?:ing)?|thank(?:ing)?|remind(?:ing)?|ask(?:ing)?|invit(?:e|ing)|congratulat(?:e|ing)) (?:my |our |the |all )(${roles})\\b(?!['’]s)|\\b(?:dear|to) (${roles})\\b(?!['’]s)`,
    'i',
  )
    .exec(instruction)
    ?.slice(1)
    .find(Boolean)
  if (found === undefined) return undefined
  const name = familyNames.get(found.toLowerCase()) ?? (family.test(found) ? found : undefined)
  if (name !== undefined) return name[0]!.toUpperCase() + name.slice(1)
  return greeted.test(found) ? found : undefined
}

/** "email to maria about …": a lone word between "to" and the topic is a name, however it is spelt. */
function lowerCaseName(instruction: string): string | undefined {
  const found =
    /\b(?:e-?mail|letter|note|message|reply|card|invitation) to ([a-z]{2,14}) (?:about|regarding|for|that|saying|on)\b/.exec(
      instruction,
    )
  const name = found?.[1]
  return name === undefined ? undefined : name[0]!.toUpperCase() + name.slice(1)
}
