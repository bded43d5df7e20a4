import { composedKind } from '../kind.ts'

export const bio = composedKind({
  name: 'bio',
  asks: /\b(?:bio(?:graphy)?|about me|profile text|author note|about (?:the author|us) (?:page|section|text)|introduce (?:myself|me)|self[- ]introduction)\b/i,
  slots: ({ instruction }) => roleSlots(instruction),
  grammar: `
# answer
* {who line} {craft} {person}
* {who line} {craft}

  {person} {invitation}
* {who line} {craft} {person} {invitation}

# who
* [with name] {name}
* [without name] [Name]

# who line
* [with role, with company] {who} is {role} at {company}.
* [with role, without company] {who} is {role}.
* [without role, with asked topic] {who} works on {the topic}.
* [without role, without asked topic] {who} is new here, and glad of it.
* [with role, playful] By day, {who} is {role}; by night too, if nobody says stop.

# craft
* [with speciality] The thread through it all is {speciality}.
* Years of {verb} have taught {who} that the best work looks easy.
* {who} is known for {quality} work, for listening first, and for finishing what was begun.
* The guiding question has stayed the same: what would make this simpler?

# person
* Away from work, {who} is most often found near {place}.
* {who} lives in [place], not far from {place}.
* Spare hours belong to {verb} and to {thing}.

# invitation
* Say hello at [e-mail].
* New people and odd questions are always welcome.
`,
})

/** `Jane Doe, a marine biologist` or `who is a baker`; what follows "who loves" is a speciality. */
function roleSlots(instruction: string) {
  const own = /\bmy name is (\p{Lu}[\p{L} '’-]+?)(?=[,.]|$| and\b)/u.exec(instruction)?.[1]
  return {
    ...(own !== undefined && { name: own }),
    role: /(?:, |\bwho is |\bis |\bas |^i am |\bi'm |\bfor (?=.* (?:named|called)))(an? [\p{L} -]{3,60}?)(?= (?:at|who|from|in|with|and|based|named|called)\b|[,.]|$)/iu.exec(
      instruction,
    )?.[1],
    speciality:
      /\bwho (?:loves|likes|speciali[sz]es in|works on|studies|writes about) ([\p{L} ,-]{3,80}?)(?=[.]|$)/iu.exec(
        instruction,
      )?.[1],
  }
}
