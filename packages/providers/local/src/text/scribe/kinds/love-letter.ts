import { composedKind } from '../kind.ts'
import { letterParts } from '../parts/letter-parts.ts'

export const loveLetter = composedKind({
  name: 'love letter',
  asks: /\blove (?:letter|note|message)s?\b|\b(?:valentine(?:['’]?s)?(?: day)?|anniversary) (?:card|letter|note|message)\b/i,
  turn: 'first',
  tone: 'romantic',
  slots: ({ instruction }) => ({
    relative: /\b(?:for|to) my ([\w-]+(?: [\w-]+)?)/i.exec(instruction)?.[1]?.replace(/ (?:about|for|on)$/i, ''),
  }),
  grammar: `
${letterParts}
# answer
* {to},

  {opening} {memory}

  {promise}

  {farewell},
  {signature}

# to
* [with recipient] My dear {recipient}
* [with relative, without recipient] To my dear {relative}
* [without recipient, without relative] My love

# opening
* I should say this more often: my days are better because you are in them.
* There are things that one forgets to say between breakfast and the evening, so here they are in writing.
* You make ordinary days worth remembering.

# memory
* I still think of [a moment that only you two know], and it makes me smile every time.
* Do you remember [a day that mattered to both of you]? I would live it again tomorrow.

# promise
* I love you, today as on the first day and a little more.
* Thank you for your patience, your laugh, and your hand in mine.
* Wherever we go from here, I am glad that we go together.
`,
})
