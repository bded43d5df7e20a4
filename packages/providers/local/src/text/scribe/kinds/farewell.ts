import { composedKind } from '../kind.ts'
import { letterParts } from '../parts/letter-parts.ts'

export const farewell = composedKind({
  name: 'farewell',
  asks: /\b(?:farewell|goodbye|good-bye|leaving|last day) (?:e-?mail|letter|note|message|card|speech)\b/i,
  turn: 'first',
  grammar: `
${letterParts}
# subject
* Goodbye, and thank you
* My last day
* Time to say goodbye

# body
* {news} {thanks}

  {memory}

  {contact}
* {news}

  {thanks} {contact}

# news
* [with when] {when, capital} is my last day, and I do not want to leave without a word.
* [without when] [Date] is my last day, and I do not want to leave without a word.
* The time has come to say goodbye.

# thanks
* Thank you for the help, the good conversations and the coffee.
* I have learned more from you than you may know.
* It has been a pleasure to work with every one of you.

# memory
* I will remember [a project or a day that you are proud of] for a long time.
* What I will miss most: [what you will miss].

# contact
* Please stay in touch: [your e-mail address].
* I hope that our paths cross again.
`,
})
