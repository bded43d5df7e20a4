import { composedKind } from '../kind.ts'

export const shortText = composedKind({
  name: 'short text',
  asks: /^\W*(?:please |can you |could you |i need |i want )*(?:write|compose|draft|create|make|give|tell|help|prepare|generate|produce|design|imagine|invent|develop|show|suggest|recommend|offer|let|talk|list|name|find|describe|think|share|say|speak|discuss|present|introduce)\b/i,
  turn: 'last',
  grammar: `
# answer
* {honest}

  **{topic, title}**

  {opening} {detail, about 2}

  {close}
* [without prose] {honest}

  **{topic, title}**

  - {point line, 3 times}

# honest
* Scribe has no pattern for this kind of text, so this is a frame with gaps:

# opening
* [with message] {message, capital}.
* [without message] [What matters most about {the topic}, in one sentence.]
* [without message] [Why you write about {the topic}, and for whom.]

# detail
* [An example that shows it.]
* [A fact or a figure that supports it.]
* [What it means for the reader.]
* [with point] {point, capital}: [one sentence about it].
* [with when] When: {day}.

# point line
* [with point] {point, capital}: [one sentence about it]
* [The most important point]
* [An example]
* [What follows from it]
* [What the reader should know before they begin]

# close
* [What the reader should do or remember.]
* [A closing sentence that returns to the beginning.]
`,
})
