import { composedKind } from '../kind.ts'

export const greeting = composedKind({
  name: 'greeting',
  asks: /^\W*(?:hi|hello|hey|hallo|good (?:morning|afternoon|evening)|greetings|howdy|thanks?|thank you|ok(?:ay)?|test(?:ing)?|ping|who are you|what are you|what can you do|help|how are you)\b[^\p{L}]*(?:there|scribe|you|today|so much)?[^\p{L}]*(?:how are you(?: doing)?(?: today)?|how(?:['’]s| is) it going|what(?:['’]s| is) up|nice to meet you)?\W*$/iu,
  turn: 'first',
  grammar: `
# answer
* {hello} I am scribe, a composer of short texts: not a language model, but quick and always here. {try}
* {hello} This is scribe. I write e-mails, stories, poems, lists and some fifty other kinds of text, and I summarize what you give me. {try}

# hello
* Hello!
* Good to see you.
* Hi there.

# try
* Try “write a haiku about rain” or “summarize:” and a text.
* Ask me for an invitation, a slogan or the outline of a talk.
* Give me a topic and a kind of text, and see what comes back.
`,
})
