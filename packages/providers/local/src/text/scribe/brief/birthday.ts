/** Whose birthday it is, and which, as a topic: `Mia’s 6th birthday`. */
export function findBirthday(instruction: string): string | undefined {
  if (!/\bbirthday\b/i.test(instruction)) return undefined
  const [, name] = /\b(?:for|of) (?:my |our )?(?:[a-z]+ )?(\p{Lu}\p{Ll}+)\b(?!['’]s)/u.exec(instruction) ?? []
  const [, age] = /\b(?:turns|turning|becomes|becoming) (\d{1,3})\b/i.exec(instruction) ?? []
  return name === undefined
    ? undefined
    : [`${name}’s`, age && ordinal(Number(age)), 'birthday'].filter(Boolean).join(' ')
}

function ordinal(count: number): string {
  const ending = { one: 'st', two: 'nd', few: 'rd', other: 'th' } as const
  return `${count}${ending[new Intl.PluralRules('en', { type: 'ordinal' }).select(count) as keyof typeof ending]}`
}
