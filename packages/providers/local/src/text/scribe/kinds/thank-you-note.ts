import { composedKind } from '../kind.ts'
import { letterParts } from '../parts/letter-parts.ts'

export const thankYouNote = composedKind({
  name: 'thank-you note',
  asks: /\bthank(?:s|ing)?(?:[- ]you)?(?:[- ](?:note|letter|card|e-?mail|message))?\b(?! in advance)/i,
  fits: ({ instruction }) => !/^\W*(?:thanks|thank you)\W*$/i.test(instruction),
  about: 'everything',
  grammar: `
${letterParts}
# answer
* {salutation},

  {thanks} {why it mattered}

  {close}

  {farewell},
  {signature}
* {salutation},

  {thanks}

  {why it mattered} {why it mattered} {close}

  {farewell},
  {signature}

# thanks
* Thank you so much for {the topic}.
* I wanted to thank you for {the topic}.
* [with asked topic] {the topic, capital}: thank you, from the bottom of my heart.
* [formal] Please accept my sincere thanks for {the topic}.
* [playful] I have practiced this speech in front of the mirror: thank you for {the topic}!

# why it mattered
* It meant more to me than you may think.
* It came at exactly the right moment.
* You gave it so much thought, and it shows.
* I have smiled about it ever since.
* Not everybody would have taken the time.

# close
* I hope I can return the kindness soon.
* With people like you around, the world seems a friendlier place.
* I look forward to seeing you and saying so in person.
`,
})
