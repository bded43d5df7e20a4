import { composedKind } from '../kind.ts'
import { letterParts } from '../parts/letter-parts.ts'

export const rejection = composedKind({
  name: 'rejection',
  asks: /\brejection (?:e-?mail|letter|note|message)\b|\b(?:e-?mail|letter|note|message)\b.*?\breject(?:ing)? (?:an? |the |our )?(?:job )?(?:candidate|applicant|application)\b|\breject (?:an? |the )?(?:job )?(?:candidate|applicant)\b/i,
  turn: 'first',
  tone: 'formal',
  grammar: `
${letterParts}
# subject
* Your application
* Your application at {company}
* Thank you for your application

# body
* {thanks} {decision}

  {kindness} {close}
* {thanks}

  {decision} {kindness}

  {close}

# thanks
* [with company] Thank you for your interest in {company} and for the time that you gave us.
* [without company] Thank you for your application and for the time that you gave us.
* It was good to meet you, and to hear about your work.

# decision
* After careful thought we have decided to move forward with another candidate.
* I am sorry to tell you that we will not be able to offer you the position.
* [with reason] I am sorry to tell you that we will not be able to offer you the position, because {reason}.

# kindness
* This was not an easy decision, and it says nothing about the quality of your work.
* We were impressed by [a strength of the candidate].

# close
* We wish you every success in your search.
* We would be glad to hear from you again when another position fits.
`,
})
