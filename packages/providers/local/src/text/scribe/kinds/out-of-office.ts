import { findFacts } from '../brief/find-facts.ts'
import { composedKind } from '../kind.ts'
import { letterParts } from '../parts/letter-parts.ts'

export const outOfOffice = composedKind({
  name: 'out-of-office reply',
  asks: /\b(?:out[- ]of[- ](?:the[- ])?office|auto(?:matic|-)? ?reply|away message|vacation (?:responder|message|reply))\b/i,
  about: 'my absence',
  slots: ({ instruction, source }) => ({ when: findFacts(instruction, source).when?.replace(/^for /i, '') }),
  grammar: `
${letterParts}
# subject
* Out of the office
* Away {?when}

# body
* {away} {back}

  {instead}
* Thank you for your message. {away} {back} {instead}

# away
* [with when] I am away {when} and will not read e-mail during that time.
* [without when] I am away from [date] to [date] and will not read e-mail during that time.
* [playful] I have gone where the signal is bad and the coffee is good.

# back
* I will answer when I am back.
* Your message is not forwarded; I will see to it on my return.

# instead
* [with recipient] If it can’t wait, please write to {recipient}.
* [without recipient] If it can’t wait, please write to [name and address].
`,
})
